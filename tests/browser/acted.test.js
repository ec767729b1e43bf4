// What players do on their page besides moving, a draft that is kept for its turn alone, and two browsers that race.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";
import { awaited, choose, codeOf, inLetters, linkOf, moves, pair, shot, sides, type, url } from "./seats.js";

const [first, second] = sides;
const [{ [first]: made }, { [second]: answer }, { [first]: next }, { [second]: last }] = moves;
const pages = {};
let browser;

before(async () => {
  browser = await launch();
  for (const [side, viewport] of [[first, DESK], [second, PHONE]]) {
    const context = await browser.newContext({ viewport });
    context.setDefaultTimeout(15_000);
    pages[side] = await context.newPage();
  }
});
after(() => browser.close());

const heading = (page, name) => page.locator("#turn h2:visible", { hasText: name }).waitFor();
const opens = async (side, turn) => pages[side].goto(url + (await linkOf(side, turn)));
const sends = async (side, line) => {
  const before = codeOf(side);
  await choose(pages[side], line);
  await pair(pages[side], side, before);
};

/** Another browser of a player, which signs in by the code of a letter. */
const signedIn = async (side) => {
  const context = await browser.newContext({ viewport: DESK });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await page.goto(`${url}/me`);
  const before = codeOf(side);
  await page.getByLabel("Your e-mail address").fill(`${side}@players.example`);
  await page.keyboard.press("Enter");
  await awaited(() => codeOf(side) !== before);
  await page.getByLabel("The code in the letter").fill(inLetters(side, /Code: (\d{4} \d{4})/g)[1]);
  await page.keyboard.press("Enter");
  await page.getByText("You are signed in.").waitFor();
  return page;
};

it("calls the reader you, and the other by name", async () => {
  await opens(first, 1);
  await heading(pages[first], "Your move");
  await sends(first, made);
  await heading(pages[first], "Waiting for ");
  await pages[first].locator("#now li", { hasText: "Your" }).first().waitFor();
  await opens(second, 2);
  await pages[second].locator("#now li", { hasText: `${first[0].toUpperCase()}${first.slice(1)}'s` }).first().waitFor();
  await pages[second].locator("#more [aria-current=true]", { hasText: "You" }).waitFor();
  assert.equal(await pages[second].locator(".seat .mark").count(), 2);
});

it("gives the other side time", async () => {
  const page = pages[second];
  await sends(second, answer);
  await heading(page, "Waiting for ");
  await page.locator("#giving summary").click();
  await page.getByLabel("Days").selectOption("2");
  await page.getByRole("button", { name: "Give", exact: true }).click();
  await page.locator("#done", { hasText: "2 days" }).waitFor();
  await accessible(page, PHONE);
  await shot(page, "given");
});

it("keeps a draft for its turn alone, and tells the browser that comes late in one sentence", async () => {
  const page = pages[first];
  const other = await signedIn(first);
  await other.goto(page.url().split("#")[0]);
  await heading(other, "Your move");
  await other.route("**/events", (route) => route.abort());
  await other.reload();
  await heading(other, "Your move");
  const typed = "R j1 L";
  await type(other, typed);
  await other.reload();
  await other.locator("#turn .confirm").waitFor();
  assert.equal(await other.locator("#turn .notation").innerText(), typed, "the draft is kept");
  await heading(page, "Your move");
  await choose(page, next);
  await heading(page, "Waiting for ");
  await other.waitForTimeout(500);
  await other.locator("#turn .confirm").click();
  await other.getByRole("alert").filter({ hasText: `Another move came first, so ${typed} was not made.` }).waitFor();
  await heading(other, "Waiting for ");
  await accessible(other, DESK);
  await shot(other, "late");
  await heading(pages[second], "Your move");
  await choose(pages[second], last);
  await other.reload();
  await heading(other, "Your move");
  assert.ok(await other.locator("#turn .confirm").isHidden(), "no draft of an earlier turn");
  await other.context().close();
});

it("resigns, and both have a rematch", async () => {
  const page = pages[first];
  await heading(page, "Your move");
  await page.locator("#ending summary").click();
  await page.getByRole("button", { name: "Resign…" }).click();
  await page.getByRole("button", { name: "Resign", exact: true }).click();
  await heading(pages[second], "You won");
  for (const side of [second, first]) {
    const old = pages[side].url();
    await pages[side].getByRole("button", { name: "Ask for a rematch" }).click();
    await pages[side].waitForURL((found) => found.href !== old && found.pathname !== new URL(old).pathname);
  }
  await heading(pages[second], "Your move");
  await accessible(pages[second], PHONE);
});
