// What a reader sees of a letter's page: on a phone and on a desk, by day and by night.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { DESK, PHONE, accessible, launch, read } from "./pages.js";

const LETTERS = process.env.RECORDS;
const SCREENSHOTS = process.env.SCREENSHOTS;
const ALL = readdirSync(LETTERS).filter((name) => name.endsWith(".html")).map((name) => name.slice(0, -5));
const LEAST_TO_TAP = 44;
// Programs that make text of a letter would put its title on top.
const SUBJECT_IS_TITLE = { "document-title": { enabled: false } };
const EVERY = [PHONE, DESK].flatMap((viewport) => ["dark", "light"].map((scheme) => [viewport, scheme]));
const WAYS = SCREENSHOTS ? EVERY : [[PHONE, "dark"], [DESK, "light"]];

let browser, page;
before(async () => {
  browser = await launch();
  page = await browser.newPage();
});
after(() => browser.close());

describe("every kind of letter", () => {
  for (const name of ALL) {
    it(`can be read in ${name}`, async () => {
      await read(page, LETTERS, name, async () => {
        for (const picture of await page.locator("img").all()) {
          assert.ok((await picture.getAttribute("alt")).length > 20);
        }
        for (const board of await page.locator("pre[role=region]").all()) {
          assert.equal(await board.evaluate((one) => getComputedStyle(one).whiteSpace), "pre");
        }
        for (const [viewport, colorScheme] of WAYS) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          if (SCREENSHOTS) await keep(page, `${name}-${viewport.width}-${colorScheme}`);
          for (const folded of await page.locator("summary").all()) {
            assert.ok((await folded.boundingBox()).height >= LEAST_TO_TAP);
            if (!(await folded.evaluate((one) => one.parentElement.open))) await folded.click();
          }
          await accessible(page, viewport, SUBJECT_IS_TITLE);
        }
      });
    });
  }
});

const keep = (page, name) => page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
