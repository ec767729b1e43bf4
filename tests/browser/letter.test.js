// What a reader sees of a letter's page: on a phone and on a desk, by day and by night.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { DESK, PHONE, accessible, launch, visit } from "./pages.js";

const LETTERS = process.env.RECORDS;
const ALL = readdirSync(LETTERS).filter((name) => name.endsWith(".html")).map((name) => name.slice(0, -5));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

describe("every kind of letter", () => {
  for (const name of ALL) {
    it(`can be read in ${name}`, async () => {
      await visit(browser, LETTERS, name, async (page) => {
        assert.ok((await page.locator("img").getAttribute("alt")).length > 20);
        await page.locator("summary").click();
        for (const [viewport, colorScheme] of [[PHONE, "dark"], [DESK, "light"]]) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          await accessible(page, viewport);
        }
      });
    });
  }
});
