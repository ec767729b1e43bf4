// Players who choose their moves on the page that their letter links to, and mail the line. RECORDS is the folder in
// which test_games.py tells the moves of a whole game, and where letters go.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { treeOf } from "../../referee/draw/templates/composer/tree.js";
import { HANDS, SOON, wayOf } from "./hands.js";
import { launch } from "./pages.js";

const { url, box, game, hand, moves } = JSON.parse(readFileSync(join(process.env.RECORDS, "games.json"), "utf8"));
const { options, choose, press } = HANDS[hand];

let browser, page;
const heard = [];
before(async () => {
  browser = await launch();
  page = await browser.newPage(options);
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) heard.push(request.url());
  });
});
after(() => browser.close());

const send = (letter) => fetch(box, { method: "POST", body: JSON.stringify(letter) });
const linkOf = async (side) => (await (await fetch(`${box}/${side}`)).json()).link;
const treeFor = async (side) =>
  treeOf((await (await fetch(`${url}/g/${game}/choices?${new URLSearchParams({ side })}`)).json()).tree);

/** Chooses a move on the page, and sends the letter that the page has made. */
const moveOnPage = async (side, text) => {
  const tree = await treeFor(side);
  await page.goto("about:blank");
  await page.goto(url + (await linkOf(side)));
  await page.locator("#turn .state").waitFor();
  for (const target of wayOf(tree, text)) await choose(page, target);
  assert.equal(await page.locator("#turn .notation").innerText(), text);
  await page.waitForTimeout(SOON);
  await press(page, page.locator("#turn .confirm"));
  await page.getByRole("heading", { name: "Mail this line" }).waitFor();
  const mail = new URL(await page.getByRole("link", { name: "Write the mail" }).getAttribute("href"));
  const told = { subject: mail.searchParams.get("subject"), body: mail.searchParams.get("body") };
  await send({ side, to: decodeURIComponent(mail.pathname), ...told });
};

describe(`a whole game by ${hand}`, () => {
  it("is played on the page and by letter", async () => {
    for (const { side, text, on_page: onPage } of moves) {
      await (onPage ? moveOnPage(side, text) : send({ side, move: text }));
    }
    assert.deepEqual(heard.filter((one) => one !== "about:blank"), []);
  });
});
