// A player who waits plays a line for both seats on the board, has the desk keep it as a plan, and takes it back.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { treeOf } from "../../referee/draw/templates/composer/tree.js";
import { SOON, buttonOf, wayOf } from "./hands.js";
import { accessibleToAll, launch } from "./pages.js";
import { choose, codeOf, game, linkOf, pair, shot, sides, url } from "./seats.js";

const VIEWS = [{ width: 1280, height: 800 }, { width: 390, height: 844 }];
const [first, second] = sides;
const pages = {};
const answers = [];
let browser;

before(async () => {
  browser = await launch();
  for (const side of [first, second]) {
    const touch = game === "beams" && side === first;
    const context = await browser.newContext({ viewport: VIEWS[Number(touch)], hasTouch: touch, isMobile: touch, reducedMotion: "reduce" });
    context.setDefaultTimeout(15_000);
    pages[side] = await context.newPage();
    pages[side].on("pageerror", (error) => assert.fail(String(error)));
    pages[side].on("response", async (answer) => answers.push({ side, at: answer.url(), text: await answer.text().catch(() => "") }));
  }
});
after(() => browser.close());

const heading = (page, name) => page.locator("#turn h2:visible", { hasText: name }).waitFor();
const lines = (page) => page.locator("#plan li").allInnerTexts();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const focused = (page) => page.evaluate(() => document.activeElement.textContent);
const kept = (page) => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));

/** Makes the first move of a side, whose browser is paired with it. */
const enter = async (side, turn, move) => {
  await pages[side].goto(url + (await linkOf(side, turn)));
  const before = codeOf(side);
  await choose(pages[side], move);
  await pair(pages[side], side, before);
  await heading(pages[side], /^(Your move|Waiting for)/);
};

/** Looks at a page in both sizes, by day and by night. */
const look = async (page, name) => {
  const size = page.viewportSize();
  await accessibleToAll(page, async () => {});
  for (const [number, view] of VIEWS.entries()) {
    await page.setViewportSize(view);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: `${process.env.RECORDS}/${game}-${name}-${number}-${colorScheme}.png` });
    }
  }
  await shot(page, `${name}-whole`);
  await page.setViewportSize(size);
};

it("plays a line for both seats, and keeps it as a plan", { skip: game !== "laser-chess" }, async () => {
  const page = pages[first];
  await enter(first, 1, "M d1-d2");
  await button(page, "Plan ahead").click();
  await heading(page, "If red plays …");
  for (const square of ["g8", "g7"]) await page.locator(`[role=grid] button[aria-label^="${square}, "]`).click();
  await page.locator("#turn h2:visible", { hasText: "Move red’s defender on g8 to g7" }).waitFor();
  await page.waitForTimeout(SOON);
  await button(page, "If red plays this").click();
  await heading(page, "If red plays M g8-g7, you play …");
  for (const move of ["M d2-d3", "M g7-g6", "M d3-d4"]) await choose(page, move);
  await button(page, "if M g7-g6 then M d3-d4").waitFor();
  await heading(page, "If red plays …");
  assert.deepEqual((await lines(page)).slice(1), ["if M g8-g7 then M d2-d3", "if M g7-g6 then M d3-d4"]);
  await look(page, "playing");

  // The same by the keyboard: back to the first board, and another branch.
  await button(page, "The board now").focus();
  await page.keyboard.press("Enter");
  await page.locator("#plan [aria-current]", { hasText: "The board now" }).waitFor();
  assert.equal(await focused(page), "The board now");
  await button(page, "Any move").focus();
  await page.keyboard.press("Enter");
  await page.locator("#turn h2:focus", { hasText: "Whatever comes, you play …" }).waitFor();
  await choose(page, "M d2-c2");
  await button(page, "else M d2-c2").waitFor();

  await page.reload();
  await button(page, "Plan ahead").click();
  await button(page, "else M d2-c2").waitFor();
  await button(page, "Keep as plan").click();
  await page.getByText("No other player sees it.").waitFor();
  await heading(page, /^Waiting for/);
  assert.deepEqual(await lines(page), ["if M g8-g7 then M d2-d3", "if M g7-g6 then M d3-d4", "else M d2-c2"]);
  assert.equal(await focused(page), "Your plan");
  assert.doesNotMatch(await kept(page), /d2-d3|d2-c2/);
  await look(page, "kept");
});

it("answers at once, and says so to its player alone", { skip: game !== "laser-chess" }, async () => {
  const page = pages[first];
  await enter(second, 2, "M g8-g7");
  await heading(pages[second], "Your move");
  await page.locator("#turn .news:visible", { hasText: "Your plan" }).waitFor();
  assert.match(await page.locator("#turn .news:visible").innerText(), /Your plan\s+answered M d2-d3/);
  await heading(page, "Waiting for");
  assert.deepEqual(await lines(page), ["if M g7-g6 then M d3-d4"]);
  await look(page, "answered");
  const told = answers.filter(({ side, text }) => side === second && /d3-d4|d2-c2|"plan":"/.test(text));
  assert.deepEqual(told.map(({ at }) => at), []);
});

it("is changed as text, and taken back", { skip: game !== "laser-chess" }, async () => {
  const page = pages[first];
  await button(page, "Change").click();
  await page.getByText("Edit as text").click();
  await page.getByLabel("The plan as text").fill("if M g7-g6 then M zz");
  await button(page, "Keep as plan").click();
  await page.locator("#plan [role=alert]:not(:empty)").waitFor();
  await look(page, "refused");
  await page.getByLabel("The plan as text").fill("if M g7-h7 or M g7-h6 then M d3-d4");
  await button(page, "Keep as plan").click();
  await page.getByText("No other player sees it.").waitFor();
  assert.deepEqual(await lines(page), ["if M g7-h7 or M g7-h6 then M d3-d4"]);
  await button(page, "Take back").click();
  await button(page, "Plan ahead").waitFor();
  await choose(pages[second], "M g7-h7");
  await heading(page, "Your move");
  assert.match(await page.locator("#turn .news:visible").innerText(), /answered M g7-h7/);
});

it("gives the moves of the next rounds where all move at once", { skip: game !== "beams" }, async () => {
  const page = pages[first];
  await enter(first, 1, "P M1 A2 12");
  const [answer] = await Promise.all([page.waitForResponse(/\/ahead$/), button(page, "Plan ahead").tap()]);
  await heading(page, "Then you play …");
  const { tree } = await answer.json();
  for (const target of wayOf(treeOf(tree), "R A2 L")) await buttonOf(page, target).tap();
  await page.waitForTimeout(SOON);
  await button(page, "Then I play this").tap();
  await button(page, "any then R A2 L").waitFor();
  await button(page, "Only if …").click();
  await heading(page, "If north plays …");
  await choose(page, "P S A2");
  await heading(page, `If ${second} plays P S A2, you play …`);
  await choose(page, "P M1 A6 12");
  await button(page, "if P S A2 then P M1 A6 12").waitFor();
  await look(page, "rounds");
  await button(page, "Keep as plan").click();
  await page.getByText("No other player sees it.").waitFor();
  await enter(second, 1, "P S A4");
  await page.getByText("Your plan chose R A2 L.").waitFor();
  await choose(pages[second], "P S A2");
  await page.getByText("Your plan chose P M1 A6 12.").waitFor();
  await look(page, "chosen");
});
