// How soon a reader sees the board of a long game. RECORDS is the folder of the record that test_record.py has made.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { launch, visit } from "./pages.js";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

it("shows the board of a long game within 500 ms", async (test) => {
  const painted = [];
  for (let time = 0; time < 5; time += 1) {
    await visit(browser, process.env.RECORDS, "long", async (page) => {
      await page.locator("svg.board").waitFor();
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length);
      painted.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    });
  }
  painted.sort((a, b) => a - b);
  test.diagnostic(`the board of a game of 46 plies is painted after ${painted.map(Math.round).join(", ")} ms`);
  assert.ok(painted[2] <= 500);
});
