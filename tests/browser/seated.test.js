// What players do who submit their moves on the page, in a whole game.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";
import { awaited, choose, game, inLetters, linkOf, moves, shot, sides, url } from "./seats.js";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Takes what a browser keeps, and gives it. */
const forgetSeals = (page) =>
  page.evaluate(() => {
    const all = { ...localStorage };
    localStorage.clear();
    return all;
  });

/** Has the browser of a side paired by the code in the newest letter. */
const pair = async (page, side, viewport) => {
  const before = inLetters(side, /Code: (\d{4} \d{4})/g)?.index;
  await accessible(page, viewport);
  await shot(page, `ask-${viewport.width}`);
  await page.getByRole("button", { name: "Send me a code" }).click();
  const letter = await awaited(() => {
    const found = inLetters(side, /Code: (\d{4} \d{4})/g);
    return found?.index === before ? null : found;
  });
  await page.getByLabel("The code in the letter").fill("0000 0000");
  await page.getByRole("button", { name: "Pair this browser" }).click();
  await page.getByText("This is not the code of the newest letter; attempts left: 4.").waitFor();
  await page.getByLabel("The code in the letter").fill(letter[1]);
  await accessible(page, viewport);
  await shot(page, `code-${viewport.width}`);
  await page.getByRole("button", { name: "Pair this browser" }).click();
  await page.getByText("This browser is paired.").waitFor();
};

describe(`a game of ${game} on the pages`, () => {
  const seats = sides.map((side, number) => ({ side, viewport: [PHONE, DESK][number % 2] }));

  it("is played by browsers that are paired once", async () => {
    const heard = [];
    const asked = [];
    for (const seat of seats) {
      const touch = seat.viewport === PHONE;
      const options = { viewport: seat.viewport, hasTouch: touch, isMobile: touch };
      seat.context = await browser.newContext({ ...options, colorScheme: touch ? "light" : "dark" });
      seat.page = await seat.context.newPage();
      seat.page.on("pageerror", (error) => heard.push(String(error)));
      // A browser says on its console which answers were refusals; the wrong code is one.
      seat.page.on("console", (message) => message.text().includes("403 (") || heard.push(message.text()));
      seat.page.on("request", (request) => {
        asked.push(request.url());
        if (!request.url().startsWith(url) && !request.url().startsWith("data:")) heard.push(request.url());
      });
    }
    let turn = 1;
    let kept = null;
    for (const made of moves) {
      const together = Object.keys(made).length > 1;
      for (const { side, viewport, page } of seats.filter((seat) => seat.side in made)) {
        await page.goto("about:blank");
        await page.goto(url + (await linkOf(side, turn)));
        if (together) await page.getByLabel("Seal my move in this browser").check();
        await choose(page, made[side]);
        if (await page.getByRole("button", { name: "Send me a code" }).isVisible()) await pair(page, side, viewport);
        if (together) {
          await page.getByText("Please keep it as well").waitFor();
          assert.match(await page.locator("#line output").textContent(), /^seal [0-9a-f]{64}$/);
          assert.ok((await page.locator("#kept output").innerText()).startsWith(`reveal ${made[side]} `));
        }
        await accessible(page, viewport);
        await shot(page, `send-${viewport.width}`);
        await page.getByRole("button", { name: "Send the move" }).click();
        await page.getByText("You get the answer by mail, too.").waitFor();
        assert.ok(await page.locator("#composer").isHidden());
        await accessible(page, viewport);
        await shot(page, `sent-${viewport.width}`);
        if (together && made === moves.at(-1)) kept ??= await forgetSeals(page);
      }
      if (kept) {
        const [{ page }] = seats;
        await page.getByText("This browser does not have your sealed move").waitFor();
        await page.evaluate((all) => Object.assign(localStorage, all), kept);
        await page.reload();
        await page.getByText("yours is revealed").waitFor();
      }
      turn += 1;
      // Sealed moves are revealed by the pages that are still open.
      await linkOf(Object.keys(made)[0], turn);
    }
    assert.deepEqual(heard, []);
    assert.deepEqual(asked.filter((one) => /[a-z2-7]{16}/.test(new URL(one).search)), []);
    // The desk hears nothing of a move that is sealed.
    assert.equal(asked.some((one) => one.includes("/trial")), Object.keys(moves[0]).length === 1);
    for (const { context } of seats) await context.close();
  });
});
