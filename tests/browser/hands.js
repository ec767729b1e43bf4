// How somebody chooses a move on a board: with the mouse, with the keyboard alone, or with a finger on a phone.

import assert from "node:assert/strict";
import { PHONE } from "./pages.js";

/** Milliseconds after which a second touch is no mistake. */
export const SOON = 450;

/** The targets of a move, in the order in which they are chosen. */
export const wayOf = (tree, text) => tree.find(text).path.map((number) => tree.targets[number]);

/** The button of a target within a page or a part of it: on the board, or where that has no room for it, in the box. */
export const buttonOf = (page, { name, place }) => {
  const beside = page.locator(".dock").getByRole("button", { name, exact: true });
  return place ? page.locator(`[role=grid] button[aria-label^=${JSON.stringify(name)}]`).or(beside).first() : beside;
};

/** What the box says: what is chosen, and what to do. */
const said = (page) => page.evaluate(() => document.querySelector(".sentence").parentElement.innerText);

/** Types a move, so that it can be sent: a second touch sends only a while after the first. */
export const type = async (page, text) => {
  const field = page.getByLabel("Or type the move");
  await page.locator(".confirm").waitFor({ state: "attached" });
  if (await page.locator(".confirm").isVisible()) await page.getByRole("button", { name: "Change" }).click();
  if (!(await field.isVisible())) await page.getByText("Type the move", { exact: true }).click();
  await field.fill(text);
  await page.getByRole("button", { name: "Check" }).click();
  await page.locator("#turn .sentence:focus").waitFor();
  await page.waitForTimeout(SOON);
};

/** Types a move and sends it. */
export const choose = async (page, text) => {
  await type(page, text);
  await page.locator("#turn .confirm").click();
};

/** By its name: what to ask the browser for, how a target is chosen, and how a button is pressed. */
export const HANDS = {
  "the mouse": {
    options: {},
    choose: (page, target) => buttonOf(page, target).click(),
    press: (page, button) => button.click(),
  },
  "the keyboard alone": {
    options: {},
    choose: async (page, target) => {
      if (target.place) await walk(page, target);
      else await tabTo(page, (name) => name === target.name);
      await page.keyboard.press("Enter");
    },
    press: async (page, button) => {
      // Who has chosen the last part of a move by the keyboard hears the sentence that it makes.
      assert.ok(await page.evaluate(() => document.activeElement.matches(".sentence")));
      const wanted = await button.innerText();
      await tabTo(page, (name) => name === wanted);
      await page.keyboard.press("Enter");
    },
  },
  "touch at 360 px": {
    options: { viewport: PHONE, hasTouch: true, isMobile: true },
    choose: async (page, target) => {
      const before = await said(page);
      await buttonOf(page, target).tap();
      assert.notEqual(await said(page), before);
    },
    press: (page, button) => button.tap(),
  },
};

/** Presses arrows until the focus is on a target. */
async function walk(page, target) {
  const wanted = buttonOf(page, target);
  if (!(await page.evaluate(() => document.activeElement.closest("[role=grid]")))) {
    await tabTo(page, () => false, "[role=grid] button");
  }
  for (let steps = 0; steps < 90; steps += 1) {
    const [right, down] = await wanted.evaluate((button) => {
      const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
      const [x, y] = middle(document.activeElement.getBoundingClientRect());
      const [toX, toY] = middle(button.getBoundingClientRect());
      return document.activeElement === button ? [0, 0] : [toX - x, toY - y];
    });
    if (!right && !down) return;
    const across = Math.abs(right) > Math.abs(down);
    await page.keyboard.press(across ? (right > 0 ? "ArrowRight" : "ArrowLeft") : down > 0 ? "ArrowDown" : "ArrowUp");
  }
  assert.fail(`the arrows do not lead to ${target.name}`);
}

/** Presses Tab until the focus is on something of a name, or that a selector matches. */
async function tabTo(page, isWanted, selector = "nothing") {
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press("Tab");
    const [name, matches] = await page.evaluate(
      (wanted) => [document.activeElement.innerText, document.activeElement.matches(wanted)],
      selector,
    );
    if (matches || isWanted(name)) return;
  }
  assert.fail("the Tab key does not lead there");
}
