// Somebody whose browser is paired begins a game with an engine on the desk's pages, and watches it answer.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";
import { choose, codeOf, linkOf, pair, shot, url } from "./seats.js";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Presses Tab until the focus is on what a selector matches. */
async function tabTo(page, selector) {
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`the Tab key does not lead to ${selector}`);
}

describe("a game with an engine", () => {
  it("begins on the page by the keyboard alone, and the engine's answer comes by itself", async () => {
    const context = await browser.newContext({ viewport: DESK });
    const page = await context.newPage();
    const heard = [];
    page.on("pageerror", (error) => heard.push(String(error)));
    page.on("console", (message) => heard.push(message.text()));

    await page.goto(url + (await linkOf("south", 1)));
    const before = codeOf("south");
    await choose(page, "P a1-a2");
    await pair(page, "south", before);
    await page.getByRole("heading", { name: /^(Your move is in|Waiting for)/ }).waitFor();

    await page.goto(url);
    await accessible(page, DESK);
    await shot(page, "first-page");
    await tabTo(page, ".tile input");
    for (let steps = 0; steps < 4 && !(await page.locator(".tile input[value=laser-chess]").isChecked()); steps += 1) {
      await page.keyboard.press("ArrowRight");
    }
    await tabTo(page, "#wish-level");
    await page.keyboard.type("2");
    await page.keyboard.press("Enter");
    if (!page.url().includes("/play")) {
      await tabTo(page, "form[action$=play] button");
      await page.keyboard.press("Enter");
    }
    await page.waitForURL(/\/play\?game=laser-chess&level=2$/);
    await tabTo(page, "#wish-side");
    await page.keyboard.type("blue");
    await tabTo(page, "form button");
    await page.keyboard.press("Enter");
    await page.waitForURL(/side=blue/);
    await page.getByRole("button", { name: "Play now" }).waitFor();
    await accessible(page, DESK);
    await shot(page, "wish");
    assert.equal(await page.locator("#line output").innerText(), "new laser-chess with engine:2, as blue");
    assert.match(await page.getByRole("link", { name: "Write the mail" }).getAttribute("href"), /^mailto:desk@example\.org\?/);
    await tabTo(page, "[data-way=send]");
    await page.keyboard.press("Enter");
    await page.locator("a:focus", { hasText: "Go to your game" }).waitFor();
    await page.keyboard.press("Enter");

    // The engine answers before the page is read after the move; the page that comes is an older one.
    await page.getByRole("heading", { name: "Your move" }).waitFor();
    const own = page.url().split("#")[0];
    const body = await (await page.request.get(own)).text();
    await page.route(own, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await route.fulfill({ contentType: "text/html", body });
    }, { times: 1 });
    await choose(page, "R j1 L");
    await page.locator("#turn .news:visible", { hasText: "Engine 2" }).waitFor({ timeout: 60_000 });
    assert.match(await page.locator("#turn .news:visible").innerText(), /You\s+played R j1 L\s+Engine 2\s+answered/);
    await page.getByRole("heading", { name: "Your move" }).waitFor();
    assert.ok(await page.locator(".plate > svg.scene").isVisible());
    await page.locator("#check summary").click();
    await accessible(page, DESK);
    await shot(page, "answered");
    assert.deepEqual(heard, []);
    await context.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    it(`is asked for by mail without a paired browser, ${colorScheme}, on a phone`, async () => {
      const context = await browser.newContext({ viewport: PHONE, colorScheme, hasTouch: true, isMobile: true });
      const page = await context.newPage();
      await page.goto(url);
      await accessible(page, PHONE);
      await shot(page, `first-page-${colorScheme}`);
      await page.getByText("The Beam", { exact: true }).first().tap();
      await page.getByRole("button", { name: "Play now" }).tap();
      await page.waitForURL(/\/play/);
      assert.equal(await page.locator("#line output").innerText(), "new the-beam with engines:3");
      assert.ok(await page.getByRole("button", { name: "Play now" }).isHidden());
      await accessible(page, PHONE);
      await shot(page, `wish-${colorScheme}`);
      await context.close();
    });
  }

  it("is asked for without script", async () => {
    const context = await browser.newContext({ viewport: DESK, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByText("Boundary", { exact: true }).first().click();
    await page.getByRole("button", { name: "Play now" }).click();
    assert.equal(await page.locator("#line output").innerText(), "new boundary with engine:3");
    assert.ok(await page.getByRole("button", { name: "Copy" }).isHidden());
    await context.close();
  });
});
