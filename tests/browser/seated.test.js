// What players do who submit their moves on the page, from their first visit on.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";
import { awaited, codeOf, game, linkOf, moves, pair, seals, shot, sides, type, url } from "./seats.js";

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

describe(`a game of ${game} on the pages`, () => {
  const seats = sides.map((side, number) => ({ side, viewport: [PHONE, DESK][number % 2] }));

  it("is played by browsers that are paired once, on pages that stay open", async () => {
    const heard = [];
    const asked = [];
    for (const seat of seats) {
      const touch = seat.viewport === PHONE;
      const options = { viewport: seat.viewport, hasTouch: touch, isMobile: touch };
      seat.context = await browser.newContext({ ...options, colorScheme: touch ? "light" : "dark" });
      seat.page = await seat.context.newPage();
      seat.page.setDefaultTimeout(20_000);
      seat.page.on("pageerror", (error) => heard.push(String(error)));
      // A browser says on its console which answers were refusals; the wrong code is one.
      seat.page.on("console", (message) => message.text().includes("403 (") || heard.push(message.text()));
      seat.page.on("request", (request) => {
        asked.push(request.url());
        if (!request.url().startsWith(url) && !request.url().startsWith("data:")) heard.push(request.url());
      });
    }
    let kept = null;
    for (const [number, made] of moves.entries()) {
      const together = Object.keys(made).length > 1;
      for (const { side, viewport, page } of seats.filter((seat) => seat.side in made)) {
        const isFirst = page.url() === "about:blank";
        if (isFirst) await page.goto(url + (await linkOf(side, number + 1)));
        await page.locator("#turn .state").waitFor({ state: "visible" });
        if (together) await seals(page);
        await type(page, made[side]);
        await accessible(page, viewport);
        await shot(page, `send-${viewport.width}`);
        const before = codeOf(side);
        await page.locator("#turn .confirm").click();
        if (isFirst) {
          await awaited(() => codeOf(side) !== before);
          await page.getByLabel("The code in the letter").fill("0000 0000");
          await page.getByText("This is not the code of the newest letter; attempts left: 4.").waitFor();
          await accessible(page, viewport);
          await shot(page, `code-${viewport.width}`);
          if (together) assert.ok((await page.locator("#kept output").innerText()).startsWith(`reveal ${made[side]} `));
          await page.getByLabel("The code in the letter").clear();
          await pair(page, side, null);
        }
        await page.getByRole("heading", { name: /^(Your move is (in|sealed)|Waiting for|All moves are in)/ }).or(page.locator("#turn .state:visible")).first().waitFor();
        await accessible(page, viewport);
        await shot(page, `sent-${viewport.width}`);
        if (together && made === moves.at(-1)) kept ??= await forgetSeals(page);
      }
      if (kept) {
        const [{ page }] = seats;
        await page.getByText("This browser does not have your sealed move").waitFor();
        await page.evaluate((all) => Object.assign(localStorage, all), kept);
        await page.reload();
      }
      // Sealed moves are revealed by the pages that are still open.
      await linkOf(Object.keys(made)[0], number + 2);
    }
    assert.deepEqual(heard, []);
    assert.deepEqual(asked.filter((one) => /[a-z2-7]{16}/.test(new URL(one).search)), []);
    // The desk hears nothing of a move that is sealed.
    assert.equal(asked.some((one) => one.includes("/trial")), Object.keys(moves[0]).length === 1);
    for (const { context } of seats) await context.close();
  });
});
