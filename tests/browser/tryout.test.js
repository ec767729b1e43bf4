// What a newcomer does at the page of a try-out: two mailboxes, a board, the clock and the host, on one screen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { SOON, type } from "./hands.js";
import { DESK, accessible, launch } from "./pages.js";

const { address } = JSON.parse(readFileSync(join(process.env.RECORDS, "tryout.json"), "utf8"));
const SCREENSHOTS = process.env.SCREENSHOTS;
const TELEPHONE = { width: 390, height: 844 };
const PICTURE = { width: 1280, height: 1000 };

let browser, context, page;
const heard = [];
before(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: DESK, reducedMotion: "reduce" });
  context.on("console", (message) => heard.push(message.text()));
  context.on("weberror", (error) => heard.push(String(error.error())));
  page = await context.newPage();
  await page.goto(address);
});
after(() => browser.close());

const shot = (name, options) => SCREENSHOTS && page.screenshot({ path: join(SCREENSHOTS, name), ...options });

/** Finds the page accessible on a telephone and on a desk, by day and by night. */
const looked = async (name) => {
  for (const viewport of [TELEPHONE, DESK]) {
    for (const colorScheme of ["dark", "light"]) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await accessible(page, viewport);
      await shot(`${name}-${viewport.width}-${colorScheme}.png`, { fullPage: true });
    }
  }
};

const box = (name) => page.getByRole("region", { name: `${name}’s mailbox` });

/** Sends what is filled in for a person, with this text if there is one. */
const send = async (name, text) => {
  if (text !== undefined) await box(name).getByLabel("Text").fill(text);
  await box(name).getByRole("button", { name: "Send" }).click();
};

const frameOf = (name) => box(name).frameLocator("iframe");

describe("a try-out", () => {
  it("begins with a letter that is filled in", async () => {
    await looked("begin");
    await send("Ada", "new beams with ben@example.net, as south");
    await frameOf("Ben").getByText("Ada Lovelace").first().waitFor();
    await send("Ben", "accept");
    await page.getByText("to move, at the same time").waitFor();
    await looked("begun");
  });

  it("leads from a letter to the board, and a browser is paired by the code in another letter", async () => {
    const opened = context.waitForEvent("page");
    await frameOf("Ada").locator('a[href*="/g/"]').first().click();
    const board = await opened;
    await type(board, "P M1 B3 12");
    await board.locator("#turn .confirm").click();
    const code = async () => {
      for (let tries = 0; tries < 100; tries += 1) {
        await page.getByRole("link", { name: "Look for new letters" }).click();
        const found = /Code: (\d{4} \d{4})/.exec(await box("Ada").locator("pre").textContent());
        if (found) return found[1];
        await page.waitForTimeout(200);
      }
      throw new Error("no code came");
    };
    await board.getByLabel("The code in the letter").fill(await code());
    await board.getByRole("heading", { name: "Your move is sealed" }).waitFor();
    await board.close();
  });

  it("is cheated by the host, and the audit says so", async () => {
    await page.goto(address);
    await page.getByRole("button", { name: "Open a sealed move early" }).click();
    await page.getByText("Ada Lovelace has chosen P M1 B3 12.").waitFor();
    await send("Ben", "P M2Y B3 10");
    await page.getByText("Score: south 1, north 2.").waitFor();
    await page.getByRole("button", { name: "Use it: exchange a move" }).click();
    await page.getByText("The log itself gives it away: commitment.").waitFor();
    await looked("cheated");
    await page.setViewportSize(PICTURE);
    await page.goto(address);
    for (const name of ["Ada", "Ben"]) await frameOf(name).getByRole("img").waitFor();
    await page.waitForTimeout(SOON);
    await shot("tryout.jpg", { quality: 60 });
  });

  it("shows what time brings", async () => {
    await page.getByRole("button", { name: "a week" }).click();
    await page.getByRole("link", { name: /Reminder: less than 12 hours left/ }).first().click();
    await frameOf("Ada").getByText("12 hours").first().waitFor();
    await looked("late");
  });

  it("lets an engine sit down", async () => {
    await page.goto(address);
    await box("Ada").getByText("Begin a game").click();
    await box("Ada").getByRole("link", { name: "new laser-chess with engine:2" }).click();
    await send("Ada", "new laser-chess with engine:2, as red");
    await frameOf("Ada").getByText("Engine 2 moved").first().waitFor();
  });

  it("runs no script of a letter, and reports nothing", () => assert.deepEqual(heard, []));
});
