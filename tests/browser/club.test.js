// What a spectator does with the pages of a desk. RECORDS is the folder in which test_club.py tells their address, and
// which games there are; it makes a move in the game `live` every second.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { DESK, PHONE, accessible, launch } from "./pages.js";

const FOLDER = process.env.RECORDS;
const { url, games, moves, names } = JSON.parse(readFileSync(join(FOLDER, "club.json"), "utf8"));

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
  const asked = [];
  page.on("request", (request) => asked.push(`${request.url()} ${request.postData() ?? ""}`));
  // A browser says on its console that a page was not found.
  page.on("console", (message) => message.text().includes("404 (Not Found)") || heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) heard.push(request.url());
  });
  try {
    await page.goto(url + path);
    await act(page, asked);
    assert.deepEqual(heard, []);
  } finally {
    await context.close();
  }
};

const drawn = (page) => page.locator("img.board").evaluate((one) => one.complete && one.naturalWidth > 0);

/** Types a move and asks for its letter; a second touch does so only a while after the first. */
const choose = async (page, text) => {
  await page.getByText("Type the move", { exact: true }).click();
  await page.getByLabel("Or type the move").fill(text);
  await page.getByRole("button", { name: "Check" }).click();
  await page.locator("#turn .sentence:focus").waitFor();
  await page.waitForTimeout(500);
  await page.getByRole("button", { name: "Send it by mail" }).click();
};

const KEY = "abcdefghijklmnop";

describe("a player whose letter has linked here", () => {
  for (const viewport of [PHONE, DESK]) {
    for (const [game, side, text] of moves) {
      it(`chooses a move of ${game} at ${viewport.width} pixels and mails it`, () =>
        watch(
          `/g/${game}-new#${side}-1-${KEY}`,
          async (page, asked) => {
            await page.getByRole("heading", { name: "Your move" }).waitFor();
            await accessible(page, viewport);
            await choose(page, text.toLowerCase());
            await page.getByRole("heading", { name: "Mail this line" }).waitFor();
            assert.equal(await page.locator("#turn output.move:visible").innerText(), `1. ${text}`);
            const mail = new URL(await page.getByRole("link", { name: "Write the mail" }).getAttribute("href"));
            assert.equal(decodeURIComponent(mail.pathname), `desk+${game}-new.${KEY}@example.org`);
            assert.equal(mail.searchParams.get("subject"), `[${game}-new]`);
            assert.equal(mail.searchParams.get("body"), `1. ${text}\n`);
            assert.ok(await page.locator(".plate > svg.scene").isVisible());
            await accessible(page, viewport);
            await page.screenshot({ path: join(FOLDER, `move-${game}-${viewport.width}.png`), fullPage: true });
            await page.getByRole("button", { name: "Copy" }).click();
            await page.getByText("Copied.").waitFor();
            assert.ok(asked.length > 5);
            assert.deepEqual(asked.filter((one) => one.includes(KEY)), []);
          },
          { viewport, permissions: ["clipboard-read", "clipboard-write"] },
        ));
    }
  }

  it("chooses by keyboard alone", () =>
    watch(`/g/boundary-new#south-1-${KEY}`, async (page) => {
      await page.getByRole("gridcell").first().waitFor();
      const open = page.locator('[role="grid"] button:not([aria-disabled="true"])');
      while (!(await page.locator("#turn .sentence").innerText())) {
        await open.first().focus();
        await page.keyboard.press("Enter");
      }
      await page.waitForTimeout(500);
      while (!(await page.locator("#turn .confirm:focus").count())) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.locator("#turn a:focus").waitFor();
    }));

  it("reports a link of an earlier letter, and a seat with nothing to do", async () => {
    await watch(`/g/boundary#south-1-${KEY}`, (page) => page.getByText("resignation").first().waitFor());
    await watch(`/g/boundary-new#south-7-${KEY}`, (page) => page.getByText("This link is from an earlier letter").waitFor());
    await watch(`/g/boundary-new#north-1-${KEY}`, (page) => page.getByRole("heading", { name: "Waiting for" }).waitFor());
    for (const hash of ["nonsense", `nobody-1-${KEY}`, `__proto__-1-${KEY}`, `call%20555-1-${KEY}`]) {
      await watch(`/g/boundary-new#${hash}`, async (page) => assert.equal(await page.locator(".plate.choosing").count(), 0));
    }
  });

  it("is called by name, whatever is in it", () =>
    watch(`/g/names#south-1-${KEY}`, async (page) => {
      await page.locator("h1", { hasText: `You – ${names[1]}` }).waitFor();
      await page.locator("#turn .state").waitFor();
      for (const name of names) {
        await page.locator(".seat a", { hasText: name }).click();
        assert.equal(await page.locator("h1").innerText(), `Games of ${name}`);
        await page.goBack();
      }
    }));
});

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
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "The board in words");
      await page.locator("#moves .ply").last().focus();
      await page.waitForFunction((number) => document.querySelectorAll("a.ply").length > number, await plies());
      assert.ok(await page.evaluate(() => document.activeElement.matches("#moves .ply")));
      assert.match(await page.locator("#status").innerText(), /waiting for /);
      await page.waitForFunction(() => document.querySelector("img.board").complete);
      assert.ok(await drawn(page));
    }));

  it("show whose view is on, and which ply, where the system sets the colours", () =>
    watch(
      "/g/beams?ply=2",
      async (page) => {
        const outlines = (selector) =>
          page.$$eval(selector, (all) =>
            all.map((one) => getComputedStyle(one)).map(({ outlineStyle, outlineWidth }) => `${outlineStyle} ${outlineWidth}`),
          );
        for (const place of ["#more a.button", "#moves a"]) {
          assert.deepEqual([...new Set(await outlines(`${place}[aria-current]`))], ["solid 2px"]);
          assert.ok((await outlines(`${place}:not([aria-current])`)).every((one) => one.startsWith("none")));
        }
        await page.screenshot({ path: join(FOLDER, "forced-colors.png"), fullPage: true });
      },
      { forcedColors: "active" },
    ));

  it("tell everything without script", () =>
    watch(
      `/g/${games[0]}`,
      async (page) => {
        assert.ok(await drawn(page));
        assert.equal(await page.locator("form, button, input").count(), 0);
        await page.locator("#words summary").click();
        assert.ok((await page.locator("#words li").count()) > 2);
        await page.locator("a.ply").nth(1).click();
        assert.match(await page.locator("#at").innerText(), /ply 2 of /);
        await page.getByRole("link", { name: "Last" }).click();
        await page.getByRole("link", { name: "The club" }).click();
        assert.equal(await page.locator("h1").innerText(), "Board games at your own pace, with a referee.");
      },
      { javaScriptEnabled: false },
    ));
});
