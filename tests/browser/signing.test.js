// Somebody signs in with a letter, sees their games on a page of their own, and has the browser forgotten.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DESK, accessible, accessibleToAll, launch } from "./pages.js";
import { awaited, inLetters, shot, url } from "./seats.js";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

describe("a player's own page", () => {
  it("signs in by the link of a letter, in the browser that asked alone, and forgets", async () => {
    const context = await browser.newContext({ viewport: DESK, reducedMotion: "reduce" });
    const page = await context.newPage();
    const heard = [];
    page.on("pageerror", (error) => heard.push(String(error)));
    page.on("console", (message) => heard.push(message.text()));

    await page.goto(`${url}/me`);
    await page.getByLabel("Your e-mail address").fill("south@players.example");
    await accessibleToAll(page, (name) => shot(page, `sign-in-${name}`));
    await page.keyboard.press("Enter");
    await page.getByText("a letter with a code is on its way").waitFor();
    await page.setViewportSize(DESK);
    await accessible(page, DESK);
    const [, code] = await awaited(() => inLetters("south", /\/me#code=(\d{8})/g));

    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto(`${url}/me#code=${code}`);
    await elsewhere.getByText("Please type it there").waitFor();
    assert.equal(await elsewhere.locator("#mine").isVisible(), false);
    await elsewhere.context().close();

    const opened = await context.newPage();
    await opened.goto(`${url}/me#code=${code}`);
    await opened.getByText("You are signed in.").waitFor();
    assert.equal(new URL(opened.url()).hash, "", "the code is no part of the address any more");
    await opened.getByText("it is your move in 1 game.").waitFor();
    await accessibleToAll(opened, (name) => shot(opened, `me-${name}`));
    assert.match(await opened.locator("#mine a").first().getAttribute("href"), /^\/g\/spring-7$/);
    await page.bringToFront();
    await page.reload();
    await page.getByText("it is your move in 1 game.").waitFor();

    await opened.getByRole("button", { name: "Forget this browser" }).click();
    await opened.getByText("This browser is forgotten").waitFor();
    assert.equal(await opened.locator("#mine").isVisible(), false);
    assert.deepEqual(await context.cookies(), []);
    assert.deepEqual(heard.filter((one) => !one.includes("403")), []);
    await context.close();
  });
});
