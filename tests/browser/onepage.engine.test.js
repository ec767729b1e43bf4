// Somebody plays against engines in the one page, offline. RECORDS is the folder that test_onepage_engine.py has made.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { SOON } from "./hands.js";
import { accessibleToAll, launch, visit } from "./pages.js";

const PAGES = process.env.RECORDS;
const READY = 60_000;
const LONGEST = 30_000;
const MOST = 60;
const CHOICES = '.practice [role=grid] button[aria-disabled="false"], .practice .list button';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const ready = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: READY });
const tab = (page, name) => page.getByRole("tab", { name }).click();
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
const settled = (page) => page.locator(".practice[aria-busy=false]").waitFor({ timeout: LONGEST });
const turn = (page) => page.locator(".turn").innerText();
const plies = (page) => page.locator(".plies li").count();
const lines = (page, name) => page.locator(`.practice .${name} li`).allInnerTexts();
const shot = (page, name) => page.screenshot({ path: `${PAGES}/engine-${name}.png`, fullPage: true });

/** Opens the page offline at its tab for engines. */
const open = (act, options = {}) =>
  visit(
    browser,
    PAGES,
    "referee",
    async (page) => {
      await ready(page);
      await tab(page, "Engine");
      await act(page);
    },
    { offline: true, ...options },
  );

async function begin(page, game, { side, level = "1" } = {}) {
  await page.getByLabel("Your game").selectOption(game);
  if (side) await page.getByLabel("Your side").selectOption(side);
  await page.getByLabel("Level of the engine").selectOption(level);
  await press(page, "Play");
  await settled(page);
}

/** Confirms what is chosen, and waits for what the engines do. */
async function confirm(page, act) {
  const before = await plies(page);
  await page.locator(".practice .confirm:not(:disabled)").waitFor();
  await page.waitForTimeout(SOON);
  await act(page.locator(".practice .confirm"));
  await page.waitForFunction((old) => document.querySelectorAll(".plies li").length > old, before, { timeout: LONGEST });
  await settled(page);
}

async function type(page, move) {
  const field = page.locator(".practice").getByLabel("Or type the move");
  await field.fill(move);
  await field.press("Enter");
  await confirm(page, (button) => button.click());
}

const saved = async (page, name) => {
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
  return readFileSync(await download.path(), "utf8");
};

/** Presses Tab until the focus is on what a selector matches, and on what has a text. */
async function tabTo(page, selector, text = "") {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press("Tab");
    const there = ([wanted, said]) =>
      document.activeElement.matches(wanted) && (!said || document.activeElement.innerText === said);
    if (await page.evaluate(there, [selector, text])) return;
  }
  assert.fail(`the Tab key does not lead to ${text || selector}`);
}

describe("a whole game against engines", () => {
  it("is played by the mouse, with three of them for a team", () =>
    open(async (page) => {
      await begin(page, "the-beam", { side: "p2" });
      for (let number = 0; number < MOST && (await turn(page)) === "It is your move."; number += 1) {
        for (let step = 0; step < 8 && (await page.locator(".practice .confirm").isDisabled()); step += 1) {
          await page.locator(CHOICES).first().click();
        }
        await confirm(page, (button) => button.click());
      }
      assert.match(await turn(page), /^The game is over: /);
      assert.match(await saved(page, "Save the game file"), /p1: \{name: "engine, level 1 \(Beginner\)"\}/);
      await shot(page, "the-beam-over");
    }));

  it("is played by the keyboard alone, from the tab to the end", () =>
    visit(
      browser,
      PAGES,
      "referee",
      async (page) => {
        await ready(page);
        // What the browser keeps is told before the tabs.
        await page.keyboard.press("Tab");
        for (let steps = 0; steps < 4; steps += 1) await page.keyboard.press("ArrowRight");
        assert.equal(await page.evaluate(() => document.activeElement.innerText), "Engine");
        await tabTo(page, "button", "Play");
        await page.keyboard.press("Enter");
        await settled(page);
        for (let number = 0; number < MOST && (await turn(page)) === "It is your move."; number += 1) {
          // What comes next is below the line that has the focus.
          assert.equal(await page.evaluate(() => document.activeElement.className), "turn");
          await tabTo(page, ".practice [role=grid] button");
          for (let step = 0; step < 8 && (await page.locator(".practice .confirm").isDisabled()); step += 1) {
            await page.keyboard.press("Enter");
          }
          await tabTo(page, ".practice .confirm");
          await confirm(page, () => page.keyboard.press("Enter"));
        }
        assert.match(await turn(page), /^The game is over: /);
      },
      { offline: true },
    ));
});

describe("a game against an engine", () => {
  it("has a move sealed first where both move at once, also after the page was closed", () =>
    open(async (page) => {
      await begin(page, "beams");
      const [promise] = await lines(page, "promises");
      assert.match(promise, /^north has sealed its move: [0-9a-f]{64}$/);
      await page.reload();
      await ready(page);
      await tab(page, "Engine");
      await page.getByRole("button", { name: /^Go on: Beams/ }).click();
      await settled(page);
      assert.deepEqual(await lines(page, "promises"), [promise]);
      await type(page, "P M1 A2 12");
      const [opened] = await page.locator(".practice [role=status] .happened li").allInnerTexts();
      assert.match(opened, /^north had sealed P .+, with the nonce [0-9a-f]{64}$/);
      assert.notDeepEqual(await lines(page, "promises"), [promise]);
    }));

  it("tells why a move cannot be made, is hinted, explained, taken back, resigned, studied and forgotten", () =>
    open(async (page) => {
      await begin(page, "laser-chess");
      const field = page.locator(".practice").getByLabel("Or type the move");
      await field.fill("R j9 L");
      await field.press("Enter");
      await page.locator(".practice", { hasText: "j9" }).waitFor();
      assert.equal(await page.locator(".practice .confirm").isDisabled(), true);
      await type(page, "R j1 L");
      assert.equal(await plies(page), 2);
      await press(page, "Give me a hint");
      await page.locator(".advice li", { hasText: /^hint: [MR] .* points\)$/ }).waitFor({ timeout: LONGEST });
      await settled(page);
      await press(page, "Why this move?");
      await page.locator(".advice li", { hasText: /^red: [MR] .*\)$/ }).waitFor({ timeout: LONGEST });
      await settled(page);
      await press(page, "Take my last move back");
      await page.waitForFunction(() => !document.querySelectorAll(".plies li").length);
      await settled(page);
      await type(page, "R j1 L");
      await page.locator(".practice summary", { hasText: "Give up" }).click();
      await press(page, "Yes, I give up");
      await page.locator(".turn", { hasText: "The game is over" }).waitFor();
      assert.match(await saved(page, "Save the game file"), /end: \{how: resignation, by: blue\}/);
      await press(page, "Study it on the board");
      await page.locator(".standing", { hasText: "After ply 2" }).waitFor();
      await tab(page, "Engine");
      await press(page, "Forget this game");
      assert.equal(await page.getByRole("button", { name: /^Go on: Laser/ }).count(), 0);
    }));

  it("begins with the engine's move, and goes on with a file", () =>
    open(async (page) => {
      await begin(page, "boundary", { side: "north", level: "2" });
      assert.equal(await plies(page), 1);
      const file = await saved(page, "Save the game file");
      await page.locator("#room-engine summary", { hasText: "Go on with a game file" }).click();
      await page.locator("#room-engine").getByLabel("A game file", { exact: true }).fill(file);
      await press(page, "Go on playing");
      await page.getByText("One moment.").waitFor({ state: "detached" });
      await settled(page);
      assert.equal(await page.getByRole("button", { name: /^Go on: Boundary.*level 2 \(Easy\) plays south; ply 1$/ }).count(), 2);
    }));

  it("can be used by all, on a desk and on a phone, by day and by night", () =>
    open(async (page) => {
      await accessibleToAll(page);
      await begin(page, "beams");
      await accessibleToAll(page);
      await type(page, "P M1 A2 12");
      await press(page, "Why this move?");
      await page.locator(".advice li", { hasText: "north: " }).waitFor({ timeout: LONGEST });
      await accessibleToAll(page, (way) => shot(page, way));
    }));
});
