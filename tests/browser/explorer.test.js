// What a reader does with a page of openings and with widgets of a notebook. RECORDS is the folder that
// test_explorer.py has made.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DESK, PHONE, accessible, launch, visit } from "./pages.js";

const PAGES = process.env.RECORDS;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const read = (act, options) => visit(browser, PAGES, "openings", act, options);
const line = (page) => page.locator(".line a").allInnerTexts();
const moves = (page) => page.locator(".next th a");

/** Waits until these are the links of the line: the page follows a change of its address a moment later. */
const stands = (page, wanted) =>
  page.waitForFunction(
    (texts) => JSON.stringify([...document.querySelectorAll(".line a")].map((link) => link.innerText)) === texts,
    JSON.stringify(wanted),
  );
const isLong = (page, length) =>
  page.waitForFunction((wanted) => document.querySelectorAll(".line a").length === wanted, length);

describe("a page of openings", () => {
  it("starts before the first move of the most frequent start", () =>
    read(async (page) => {
      assert.deepEqual(await line(page), ["The start"]);
      assert.match(await page.locator("figcaption").innerText(), /^The start: \d+ games\. To move: /);
      assert.ok((await moves(page).count()) > 1);
      assert.ok(await page.locator(".tree").isHidden());
    }));

  it("goes by clicks, by buttons, and back through the history", () =>
    read(async (page) => {
      const first = await moves(page).first().innerText();
      await moves(page).first().click();
      await stands(page, ["The start", first]);
      await page.getByRole("button", { name: "Most played" }).click();
      await isLong(page, 3);
      await page.goBack();
      await stands(page, ["The start", first]);
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await stands(page, ["The start"]);
    }));

  it("goes by keys, and the focus stays among the moves", () =>
    read(async (page) => {
      await moves(page).first().focus();
      await page.keyboard.press("ArrowDown");
      const second = await moves(page).nth(1).innerText();
      assert.equal(await page.evaluate(() => document.activeElement.innerText), second);
      await page.keyboard.press("Enter");
      await stands(page, ["The start", second]);
      assert.ok(await page.evaluate(() => document.activeElement.matches(".next a, [data-to=back]")));
      await page.keyboard.press("ArrowLeft");
      await isLong(page, 1);
      await page.keyboard.press("ArrowRight");
      await isLong(page, 2);
      await page.keyboard.press("Home");
      await isLong(page, 1);
    }));

  it("draws the board of each place, from each side and from each start", () =>
    read(async (page) => {
      const board = () => page.$eval("svg.scene", (svg) => svg.outerHTML);
      const seen = new Set([await board()]);
      for (const value of await page.$$eval("select option", (options) => options.map((one) => one.value))) {
        await page.getByRole("combobox", { name: "Start" }).selectOption(value);
        await page.waitForFunction((wanted) => document.querySelector("select").value === wanted, value);
        await isLong(page, 1);
        seen.add(await board());
        await moves(page).first().click();
        await isLong(page, 2);
        seen.add(await board());
        const radios = page.locator("fieldset:visible input");
        if (await radios.count()) await radios.last().check();
        seen.add(await board());
      }
      assert.ok(seen.size > 12, String(seen.size));
    }));

  it("gives whole percentages, which are 100 together", () =>
    read(async (page) => {
      const sum = (text) => [...text.matchAll(/(\d+)%/g)].reduce((all, [, share]) => all + Number(share), 0);
      const near = (text) => !text.includes("%") || sum(text) === 100;
      for (let steps = 0; steps < 3; steps += 1) {
        const told = [".here", ".next td:last-child"].map((place) => page.locator(place).allInnerTexts());
        for (const text of (await Promise.all(told)).flat()) assert.ok(near(text), text);
        await page.keyboard.press("ArrowRight");
      }
    }));

  it("begins at the place of its address", () =>
    read(async (page) => assert.equal((await line(page)).length, 2), { hash: "#place-1" }));

  it("shows the current step and what cannot be pressed where the system sets the colours", () =>
    read(
      async (page) => {
        const look = (selector, name) => page.$eval(selector, (one, what) => getComputedStyle(one)[what], name);
        assert.equal(await look(".step[aria-current]", "outlineStyle"), "solid");
        assert.equal(await look(".step:not([aria-current])", "outlineStyle"), "none");
        assert.notEqual(await look("[data-to=back]", "color"), await look("[data-to=next]", "color"));
      },
      { forcedColors: "active" },
    ));

  it("is a list of all moves without script", () =>
    read(
      async (page) => {
        assert.ok(await page.locator("svg.board").isVisible());
        assert.ok(await page.locator(".tree summary").first().isVisible());
        assert.equal(await page.getByRole("button").count(), 0);
        assert.equal(await page.getByRole("table").count(), 0);
      },
      { javaScriptEnabled: false },
    ));

  for (const [colorScheme, viewport] of [["light", DESK], ["dark", DESK], ["light", PHONE], ["dark", PHONE]]) {
    for (const javaScriptEnabled of [true, false]) {
      const how = javaScriptEnabled ? "with" : "without";
      it(`can be used by all, ${colorScheme}, ${viewport.width} px wide, ${how} script`, () =>
        read(
          async (page) => {
            if (javaScriptEnabled) await moves(page).first().click();
            if (javaScriptEnabled) await accessible(page, viewport);
            else assert.ok((await page.locator("body").boundingBox()).width <= viewport.width);
          },
          { colorScheme, viewport, javaScriptEnabled },
        ));
    }
  }
});

describe("widgets of a notebook", () => {
  const notebook = (act, options) => visit(browser, PAGES, "notebook", act, options);

  it("step one by one, each for itself", () =>
    notebook(async (page) => {
      const [one, other] = [0, 1].map((at) => page.frameLocator("iframe").nth(at));
      const before = await other.locator("figcaption").innerText();
      await one.getByRole("button", { name: "First" }).click();
      assert.match(await one.locator("figcaption").innerText(), /^Before the first of/);
      assert.equal(await other.locator("figcaption").innerText(), before);
      await one.locator("a.ply").nth(2).click();
      assert.match(await one.locator("figcaption").innerText(), /^After ply 2 of/);
      await page.keyboard.press("ArrowRight");
      assert.match(await one.locator("figcaption").innerText(), /^After ply 3 of/);
      await other.locator("a.ply").nth(4).click();
      assert.match(await other.locator("figcaption").innerText(), /^After ply 4 of/);
      assert.ok(!page.url().includes("#"));
    }));

  it("can be used by all", () => notebook((page) => accessible(page, DESK)));
});
