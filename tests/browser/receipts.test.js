// What a player reads once a move was sent: it stays, also in another window, and the focus is never lost.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";
import { choose, codeOf, linkOf, moves, pair, shot, sides, type, url } from "./seats.js";

const [first, second] = sides;
const [{ [first]: made }, { [second]: answer }] = moves;
const pages = {};
let browser;

before(async () => {
  browser = await launch();
  for (const [side, viewport] of [[first, DESK], [second, PHONE]]) {
    const context = await browser.newContext({ viewport });
    context.setDefaultTimeout(15_000);
    await context.addInitScript(watchFocus);
    pages[side] = await context.newPage();
  }
});
after(() => browser.close());

/** Notes in each frame whether the focus, which something had before, is on nothing now. */
function watchFocus() {
  globalThis.lost = [];
  let last = null;
  const look = () => {
    const now = document.activeElement;
    if (last && (!now || now === document.body)) globalThis.lost.push(last.outerHTML.slice(0, 200));
    last = now === document.body ? null : now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** The number of shapes in the picture at an address. */
async function shapesOf(address) {
  const text = await (await fetch(address)).text();
  const picture = new DOMParser().parseFromString(text, "image/svg+xml");
  return picture.querySelectorAll("svg *:not(title, desc, style)").length;
}

const press = async (page, name) => {
  await page.getByRole("button", { name }).focus();
  await page.keyboard.press("Enter");
};
const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim());
const heading = (page, name) => page.locator("#turn h2:visible", { hasText: name }).waitFor();
const keepsFocus = async (page) => assert.deepEqual(await page.evaluate(() => globalThis.lost), []);

it("keeps a chosen move when the page is read again", async () => {
  const page = pages[first];
  await page.goto(url + (await linkOf(first, 1)));
  await heading(page, "Your move");
  await type(page, made);
  await keepsFocus(page);
  await page.reload();
  await page.locator("#turn .confirm").waitFor();
  assert.equal(await page.locator("#turn .notation").innerText(), made);
  await accessible(page, DESK);
  await press(page, "Change");
  await keepsFocus(page);
});

it("says on the board what was sent, and tells a second window of it", async () => {
  const page = pages[first];
  const other = await page.context().newPage();
  await other.goto(page.url());
  await heading(other, "Your move");
  await type(page, made);
  const before = codeOf(first);
  await press(page, "Send move");
  await pair(page, first, before);
  await heading(page, /^(Your move is in|Waiting for )/);
  await page.locator("#moves .ply .move").first().waitFor();
  await page.getByText(made, { exact: true }).first().waitFor();
  await heading(page, `Waiting for `);
  assert.ok(await page.locator("img.board").isVisible());
  await keepsFocus(page);
  await accessible(page, DESK);
  await shot(page, "sent");
  await heading(other, "Waiting for ");
  assert.ok(await other.locator("#turn .confirm:visible").count() === 0);
  await keepsFocus(other);
  await accessible(other, DESK);
  await other.close();
});

it("shows the last ply on the board to choose on, and says what the answer was", async () => {
  const page = pages[second];
  await page.goto(url + (await linkOf(second, 2)));
  await page.locator("#plate > svg.scene").waitFor();
  const shapes = await page.locator("#plate > svg.scene").evaluate((one) => one.querySelectorAll("*").length);
  assert.equal(shapes, await page.evaluate(shapesOf, `${new URL(page.url()).pathname}/board.svg?view=${second}`));
  const before = codeOf(second);
  await choose(page, answer);
  await pair(page, second, before);
  await heading(page, "Waiting for ");
  await keepsFocus(page);

  await heading(pages[first], "Your move");
  await pages[first].locator("#turn .news:visible", { hasText: `answered ${answer}` }).waitFor();
  assert.match(await pages[first].locator("#turn .news:visible").innerText(), new RegExp(`You\\s+played ${made}`));
  assert.equal(await focused(pages[first]), "Your move");
  await keepsFocus(pages[first]);
  await shot(pages[first], "answered");
});
