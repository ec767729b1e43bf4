// What a player reads once a move was sent: it stays, also in another window, and the focus is never lost.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";
import { SOON } from "./hands.js";
import { awaited, choose, inLetters, linkOf, moves, shot, sides, url } from "./seats.js";

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
const note = (page) => page.locator("#seat-note").innerText();
const heading = (page, name) => page.locator("#seat-heading", { hasText: name }).waitFor();
const keepsFocus = async (page) => assert.deepEqual(await page.evaluate(() => globalThis.lost), []);

const pair = async (page, side) => {
  await press(page, "Send me a code");
  const [, code] = await awaited(() => inLetters(side, /Code: (\d{4} \d{4})/g));
  await page.getByLabel("The code in the letter").fill(code);
  await page.keyboard.press("Enter");
  await page.getByText("This browser is paired.").waitFor();
};

it("keeps a confirmed move when the page is read again, and says so", async () => {
  const page = pages[first];
  await page.goto(url + (await linkOf(first, 1)));
  await heading(page, "Your move");
  await choose(page, made);
  await pair(page, first);
  await keepsFocus(page);
  await page.reload();
  await page.getByText(`You have confirmed ${made} already.`).waitFor();
  assert.equal(await focused(page), "Your move");
  assert.ok(await page.getByRole("button", { name: "Send the move" }).isVisible());
  assert.match(await page.locator("#composer .state").innerText(), /This move is confirmed\.$/);
  assert.ok(await page.getByRole("button", { name: "Confirm this move" }).isDisabled());
  await accessible(page, DESK);
  await shot(page, "confirmed-again");
});

it("asks again for what was changed after it was confirmed", async () => {
  const page = pages[first];
  await press(page, "Start over");
  assert.equal(await note(page), "");
  await page.reload();
  await heading(page, "Your move");
  await page.getByLabel("Or type the move").waitFor();
  assert.ok(await page.getByRole("button", { name: "Send the move" }).isHidden());
  await choose(page, made);
  await keepsFocus(page);
});

it("keeps the receipt when the position changes, and tells a second window of the move", async () => {
  const page = pages[first];
  const other = await page.context().newPage();
  await other.goto(page.url());
  await choose(other, made);
  await other.locator("button:focus", { hasText: "Send the move" }).waitFor();
  await press(page, "Send the move");
  await page.locator("h3:focus", { hasText: "Sent" }).waitFor();
  const receipt = page.getByText(`Your move was read as [${made}] and is accepted.`);
  await receipt.waitFor();
  await page.locator("#moves .ply .move").waitFor();
  await heading(page, "Your move is in");
  await page.waitForTimeout(SOON);
  assert.ok(await receipt.isVisible());
  assert.ok(await page.locator("img.board").isVisible());
  await keepsFocus(page);
  await accessible(page, DESK);
  await shot(page, "sent");

  await other.getByText(`You sent ${made} from another window or by mail.`).waitFor();
  assert.equal(await focused(other), "Your move is in");
  assert.ok(await other.locator("#composer").isHidden());
  assert.ok(await other.getByRole("button", { name: "Send the move" }).isHidden());
  await keepsFocus(other);
  await accessible(other, DESK);
  await shot(other, "elsewhere");
  await other.close();
});

it("shows the last ply on the board to choose on, and says what the answer was", async () => {
  const page = pages[second];
  await page.goto(url + (await linkOf(second, 2)));
  await page.locator("#composer svg.scene").waitFor();
  const shapes = await page.locator("#composer svg.scene").evaluate((one) => one.querySelectorAll("*").length);
  assert.equal(shapes, await page.evaluate(shapesOf, `${new URL(page.url()).pathname}/board.svg?view=${second}`));
  await choose(page, answer);
  await pair(page, second);
  await shot(page, "answering");
  await press(page, "Send the move");
  await page.getByText(`Your move was read as [${answer}] and is accepted.`).waitFor();
  await keepsFocus(page);

  await pages[first].getByText(`answered ${answer}.`).waitFor();
  await heading(pages[first], "It is your turn again");
  assert.ok(await pages[first].getByText(`Your move was read as [${made}] and is accepted.`).isVisible());
  await keepsFocus(pages[first]);
  await shot(pages[first], "answered");
});
