// A game of several players who never leave their board: by mouse, keyboard and touch, on a desk and on phones.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { treeOf } from "../../referee/draw/templates/composer/tree.js";
import { HANDS, SOON, wayOf } from "./hands.js";
import { DESK, accessible, launch } from "./pages.js";
import { codeOf, game, linkOf, moves, pair, shot, sides, url } from "./seats.js";

const PHONE = { width: 390, height: 844 };
const WAYS = [["the mouse", DESK], ["touch at 360 px", PHONE], ["the keyboard alone", DESK], ["the mouse", PHONE]];
const FIRST = 6;
const MOST = game === "beams" ? 4 : 3;
const heard = [];
const seats = {};
let browser;

before(async () => {
  browser = await launch();
  for (const [number, side] of sides.entries()) {
    const [name, viewport] = WAYS[number];
    const touch = name.startsWith("touch");
    const context = await browser.newContext({ viewport, hasTouch: touch, isMobile: touch, colorScheme: number % 2 ? "dark" : "light" });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on("pageerror", (error) => heard.push(String(error)));
    page.on("console", (message) => heard.push(message.text()));
    seats[side] = { page, hand: HANDS[name], viewport, visits: 0 };
    page.on("framenavigated", (frame) => frame.url().startsWith(url) && (seats[side].visits += 1));
  }
});
after(() => browser.close());

/** Finds that the whole board and what comes next are in the first screen. */
const onScreen = async (page, { height }, what) => {
  for (const selector of ["#plate", "#others", "#own", what]) {
    const { top, bottom } = await page.locator(selector).first().evaluate((one) => one.getBoundingClientRect());
    assert.ok(top >= 0 && bottom <= height, `${selector} is from ${top} to ${bottom} of ${height}`);
  }
  assert.equal(await page.evaluate(() => scrollY), 0);
};

it(`a game of ${game} is played without leaving the board`, async () => {
  let turn = 1;
  for (const made of moves) {
    for (const [side, text] of Object.entries(made)) {
      const { page, hand, viewport } = seats[side];
      const isFirst = !seats[side].visits;
      let actions = 0;
      if (isFirst) {
        await page.goto(url + (await linkOf(side, turn)));
        actions += 1;
      }
      await page.locator("#turn .state").waitFor({ state: "visible" });
      // The tools that press and look may have scrolled since the move before: from here on nothing may.
      await page.evaluate(() => scrollTo(0, 0));
      await onScreen(page, viewport, "#turn .state");
      if (isFirst) await accessible(page, viewport);
      const choices = await page.evaluate(async ([address, wanted]) => (await fetch(`${address}/choices?side=${wanted}`)).json(), [new URL(page.url()).pathname, side]);
      for (const target of wayOf(treeOf(choices.tree), text)) {
        await hand.choose(page, target);
        actions += 1;
        if (isFirst) await accessible(page, viewport);
      }
      assert.equal(await page.locator("#turn .notation").innerText(), text);
      await page.waitForTimeout(SOON);
      await onScreen(page, viewport, "#turn .confirm");
      if (turn < 3) await shot(page, `ready-${side}-${turn}`);
      const code = codeOf(side);
      await hand.press(page, page.locator("#turn .confirm"));
      actions += 1;
      if (isFirst) {
        await page.getByLabel("The code in the letter").waitFor();
        await accessible(page, viewport);
        await shot(page, `code-${side}`);
        await pair(page, side, code);
        actions += 1;
      }
      assert.ok(actions <= (isFirst ? FIRST : MOST), `${actions} actions`);
      await page.waitForFunction((sent) => document.querySelector("#turn .notation")?.textContent !== sent, text);
      await page.locator("#turn h2:visible").first().waitFor();
      if (turn < 3) await accessible(page, viewport);
      if (turn < 3) await shot(page, `sent-${side}-${turn}`);
    }
    turn += 1;
    for (const { page, visits } of Object.values(seats)) {
      if (visits) await page.waitForFunction((ply) => document.querySelectorAll(".list [data-ply]").length >= ply, turn - 1);
    }
  }
  for (const { visits } of Object.values(seats)) assert.ok(visits <= 1, `${visits} visits`);
  assert.deepEqual(heard, []);
});
