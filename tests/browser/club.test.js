// What a spectator does with the pages of a desk. RECORDS is the folder in which test_club.py tells their address, and
// which games there are; it makes a move in the game `live` every second.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";

const FOLDER = process.env.RECORDS;
const { url, games } = JSON.parse(readFileSync(join(FOLDER, "club.json"), "utf8"));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Opens a page, lets a spectator act, and finds that the page was silent and asked nobody else. */
const watch = async (path, act, options = {}) => {
  const context = await browser.newContext({ viewport: DESK, ...options });
  const page = await context.newPage();
  const heard = [];
  // A browser says on its console that a page was not found.
  page.on("console", (message) => message.text().includes("404 (Not Found)") || heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) heard.push(request.url());
  });
  try {
    await page.goto(url + path);
    await act(page);
    assert.deepEqual(heard, []);
  } finally {
    await context.close();
  }
};

const drawn = (page) => page.locator("img.board").evaluate((one) => one.complete && one.naturalWidth > 0);

describe("the pages of a desk", () => {
  for (const viewport of [PHONE, DESK]) {
    for (const colorScheme of ["light", "dark"]) {
      for (const path of ["/", "/games/finished", "/p/Ada", "/g/none", ...games.map((name) => `/g/${name}`)]) {
        it(`${path} is accessible at ${viewport.width} pixels, ${colorScheme}`, () => {
          const look = async (page) => {
            await accessible(page, viewport);
            if (games.some((name) => path === `/g/${name}`)) assert.ok(await drawn(page));
            const name = `${path.replaceAll("/", "-")}-${viewport.width}-${colorScheme}.png`;
            await page.screenshot({ path: join(FOLDER, name), fullPage: true });
          };
          return watch(path, look, { viewport, colorScheme });
        });
      }
    }
  }

  it("show a new move by themselves, and keep what is open", () =>
    watch("/g/live", async (page) => {
      const plies = () => page.locator("a.ply").count();
      const had = await plies();
      await page.locator("#words summary").click();
      await page.waitForFunction((number) => document.querySelectorAll("a.ply").length > number + 1, had);
      assert.ok(await page.locator("#words").evaluate((one) => one.open));
      assert.match(await page.locator("#status").innerText(), /^Round \d+: waiting for /);
      await page.waitForFunction(() => document.querySelector("img.board").complete);
      assert.ok(await drawn(page));
    }));

  it("tell everything without script", () =>
    watch(
      `/g/${games[0]}`,
      async (page) => {
        assert.ok(await drawn(page));
        await page.locator("#words summary").click();
        assert.ok((await page.locator("#words li").count()) > 2);
        await page.locator("a.ply").nth(1).click();
        assert.match(await page.locator("figcaption").innerText(), /ply 1 of /);
        await page.getByRole("link", { name: "To the last ply" }).click();
        await page.getByRole("link", { name: "The club" }).click();
        assert.equal(await page.locator("h1").innerText(), "Games");
      },
      { javaScriptEnabled: false },
    ));
});
