// What players do on their page who change their minds, come back, or look from elsewhere.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";
import { awaited, choose, inLetters, linkOf, moves, shot, sides, url } from "./seats.js";

const [side] = sides;
const [{ [side]: move }, { [side]: other }] = moves;

let browser;
let context;
let page;
let link;
before(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: DESK, acceptDownloads: true });
  await context.addInitScript(() => {
    navigator.share = async (what) => (globalThis.shared = what);
  });
  page = await context.newPage();
  link = url + (await linkOf(side, 1));
  await page.goto(link);
});
after(() => browser.close());

const box = () => page.getByLabel("Seal my move in this browser");
const line = () => page.locator("#line output").textContent();
const button = (name) => page.getByRole("button", { name });
const focused = () => page.evaluate(() => document.activeElement.textContent);

it("says who plays here", async () => {
  await page.getByText(new RegExp(`^You play ${side}\\b`)).waitFor();
});

it("sends what the box for sealing says, also after the move was confirmed", async () => {
  await choose(page, move);
  await page.getByRole("heading", { name: `Make your move ${move}`, exact: true }).waitFor();
  assert.equal(await line(), `1. ${move}`);
  assert.ok(await page.locator("#kept").isHidden());
  await box().check();
  await page.getByRole("heading", { name: `Make your move ${move}, sealed` }).waitFor();
  assert.match(await line(), /^seal /);
  assert.ok(await page.locator("#kept").isVisible());
  await box().uncheck();
  await page.getByRole("heading", { name: `Make your move ${move}`, exact: true }).waitFor();
  assert.equal(await line(), `1. ${move}`);
  assert.ok(await page.locator("#kept").isHidden());
});

it("takes back what was confirmed when something else is chosen", async () => {
  await button("Start over").click();
  assert.ok(await page.locator("#line").isHidden());
  assert.ok(await page.locator("#submission").isHidden());
  await choose(page, other);
  assert.equal(await line(), `1. ${other}`);
});

it("hands a line to what shares it", async () => {
  await page.locator("#line summary").click();
  await button("Share").click();
  assert.deepEqual(await page.evaluate(() => globalThis.shared), { text: `1. ${other}` });
});

it("keeps a confirmed move and a code that is under way when the page is read again", async () => {
  await page.reload();
  await page.getByText(`You have confirmed ${other} already.`).waitFor();
  assert.equal(await page.locator("#composer output.notation").innerText(), other);
  assert.equal(await line(), `1. ${other}`);
  await choose(page, move);
  await button("Send me a code").click();
  await page.getByText("A letter with a code is on its way").waitFor();
  const [, code] = await awaited(() => inLetters(side, /Code: (\d{4} \d{4})/g));
  await page.reload();
  await page.getByLabel("The code in the letter").fill("12");
  await button("Pair this browser").click();
  assert.ok(await page.locator("#code:invalid").isVisible());
  await page.getByLabel("The code in the letter").fill(code);
  await button("Pair this browser").click();
  await page.getByText("This browser is paired.").waitFor();
  assert.ok(await button("Forget this browser").isVisible());
  assert.ok(await button("Send the move").isVisible());
});

it("keeps the line that reveals a sealed move, and says elsewhere that it is not there", async () => {
  await box().check();
  await page.getByRole("heading", { name: `Make your move ${move}, sealed` }).waitFor();
  const reveal = await page.locator("#kept output").innerText();
  await page.reload();
  await page.getByText(`You have confirmed ${move} already.`).waitFor();
  assert.equal(await page.locator("#kept output").innerText(), reveal);
  await button("Send the move").click();
  await page.getByRole("heading", { name: "Sent" }).waitFor();
  assert.equal(await focused(), "Sent");
  await page.getByText("Your sealed move is in. Leave this page open").waitFor();
  for (const way of ["sent", "read again"]) {
    if (way === "read again") await page.reload();
    assert.ok(await page.locator("#kept output").isHidden());
    await page.locator("#kept summary").click();
    assert.equal(await page.locator("#kept output").innerText(), reveal);
    const saved = page.waitForEvent("download");
    await button("Save as a file").click();
    assert.equal(readFileSync(await (await saved).path(), "utf8"), `${reveal}\n`);
  }
  await accessible(page, DESK);
  await shot(page, "waiting");
  const elsewhere = await (await browser.newContext({ viewport: PHONE })).newPage();
  await elsewhere.goto(link);
  await elsewhere.getByText("this browser does not have it and cannot reveal it").waitFor();
  assert.ok(await elsewhere.locator("#kept").isHidden());
  await accessible(elsewhere, PHONE);
  await shot(elsewhere, "elsewhere");
});

it("shows no board to choose on to a visitor with a wrong key", async () => {
  const stranger = await (await browser.newContext({ viewport: PHONE })).newPage();
  await stranger.goto(link.replace(/[a-z2-7]{16}$/, "aaaaaaaaaaaaaaaa"));
  await stranger.getByText("This link is of no seat in this game").waitFor();
  assert.ok(await stranger.locator("#composer").isHidden());
  assert.ok(await stranger.locator("#show").isVisible());
});

it("lets a browser be forgotten without a move", async () => {
  await button("Forget this browser").click();
  await page.getByText("This browser can no longer move for you.").waitFor();
  assert.ok(await button("Forget this browser").isHidden());
});
