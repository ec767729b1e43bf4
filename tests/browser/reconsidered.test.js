// What players do on their page who change their minds, come back, or look from elsewhere.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";
import { awaited, choose, codeOf, inLetters, linkOf, moves, seals, shot, sides, type, url } from "./seats.js";

const [side] = sides;
const [{ [side]: move }, { [side]: other }] = moves;

let browser;
let context;
let page;
let link;
before(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: DESK, acceptDownloads: true });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  link = url + (await linkOf(side, 1));
  await page.goto(link);
});
after(() => browser.close());

const button = (name) => page.getByRole("button", { name });
const shown = () => page.locator("#turn .notation").innerText();

it("says who plays here", async () => {
  await page.locator("h1", { hasText: "You – " }).waitFor();
});

it("takes back what was chosen, also while a code is asked for, and keeps it when the page is read again", async () => {
  await type(page, move);
  assert.equal(await shown(), move);
  await type(page, other);
  assert.equal(await shown(), other);
  await button("Seal and send").click();
  await page.getByLabel("The code in the letter").waitFor();
  await button("Back").locator("visible=true").click();
  assert.equal(await shown(), other);
  await page.reload();
  await button("Seal and send").waitFor();
  assert.equal(await shown(), other);
  await button("Change").click();
  await page.locator("#turn .state").waitFor();
  assert.ok(await page.locator("#turn .confirm").isHidden());
});

it("offers the move by mail to who does not want to type a code", async () => {
  await choose(page, other);
  const mail = new URL(await page.getByRole("link", { name: "Send it by mail instead" }).getAttribute("href"));
  assert.equal(mail.searchParams.get("body"), `1. ${other}\n`);
  await button("Back").locator("visible=true").click();
});

it("keeps a code that is under way when the page is read again, and takes only eight digits", async () => {
  await awaited(() => codeOf(side) !== undefined);
  const before = codeOf(side);
  await page.reload();
  await seals(page);
  await choose(page, move);
  const field = page.getByLabel("The code in the letter");
  await field.fill("12");
  await page.keyboard.press("Enter");
  assert.ok(await page.locator("#code:invalid").isVisible());
  await field.clear();
  assert.equal(codeOf(side), before, "a second code was sent");
  const [, code] = inLetters(side, /Code: (\d{4} \d{4})/g);
  await field.pressSequentially(code);
  await page.getByRole("heading", { name: "Your move is sealed" }).waitFor();
});

it("keeps the line that reveals a sealed move, and says elsewhere that it is not there", async () => {
  const reveal = await page.locator("#kept output").textContent();
  assert.match(reveal, /^reveal /);
  for (const way of ["sent", "read again"]) {
    if (way === "read again") await page.reload();
    await page.getByText(`You chose ${move}.`).waitFor();
    assert.ok(await page.locator("#kept output").isHidden());
    await page.locator("#kept summary").click();
    assert.equal(await page.locator("#kept output").innerText(), reveal);
    const saved = page.waitForEvent("download");
    await button("Save as a file").click();
    assert.equal(readFileSync(await (await saved).path(), "utf8"), `${reveal}\n`);
  }
  await accessible(page, DESK);
  await shot(page, "waiting");
  await button("Hide my move").click();
  assert.ok(await page.getByText(`You chose ${move}.`).isHidden());
  await button("Show my move").click();
  const elsewhere = await (await browser.newContext({ viewport: PHONE })).newPage();
  await elsewhere.goto(link);
  await elsewhere.getByText("This browser does not have your sealed move").waitFor();
  assert.ok(await elsewhere.locator("#kept").isHidden());
  await accessible(elsewhere, PHONE);
  await shot(elsewhere, "elsewhere");
});

it("shows no board to choose on to a visitor with a wrong key", async () => {
  const stranger = await (await browser.newContext({ viewport: PHONE })).newPage();
  await stranger.goto(link.replace(/[a-z2-7]{16}$/, "aaaaaaaaaaaaaaaa"));
  await stranger.getByText("This link is of no seat in this game").waitFor();
  assert.equal(await stranger.locator(".plate.choosing").count(), 0);
  assert.ok(await stranger.locator("#show").isVisible());
});

it("lets a browser be forgotten without a move", async () => {
  await button("Forget this browser").click();
  await page.getByText("This browser can no longer move for you.").waitFor();
  await button("Forget this browser").waitFor({ state: "hidden" });
});
