// What a newcomer does on the first screen of a desk. RECORDS is the folder in which test_first.py tells its address.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { accessible, launch } from "./pages.js";

const FOLDER = process.env.RECORDS;
const { url, games, mailbox } = JSON.parse(readFileSync(join(FOLDER, "club.json"), "utf8"));
const SCREENS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Opens a page, lets a newcomer act, and finds that the page was silent and asked no other host. */
const look = async (path, act, options = {}) => {
  const context = await browser.newContext({ viewport: SCREENS[0], reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const heard = [];
  const asked = [];
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(String(error)));
  page.on("request", (request) => asked.push(`${request.url()} ${request.postData() ?? ""}`));
  try {
    await page.goto(url + path);
    await act(page, asked);
    assert.deepEqual(heard, []);
    assert.ok(asked.every((one) => one.startsWith(url) || one.startsWith("data:")));
  } finally {
    await context.close();
  }
};

describe("a newcomer", () => {
  const paths = ["/", "/play", "/invite", "/rules", "/games/running", ...games.map((game) => `/rules/${game}`)];
  for (const path of paths) {
    it(`reads ${path} on every screen, by day and by night`, () =>
      look(path, async (page) => {
        for (const viewport of SCREENS) {
          await page.setViewportSize(viewport);
          for (const colorScheme of ["light", "dark"]) {
            await page.emulateMedia({ colorScheme });
            await accessible(page, viewport);
          }
        }
        await page.evaluate(() => [...document.images].forEach((one) => (one.loading = "eager")));
        await page.waitForFunction(() => [...document.images].every((one) => one.complete && one.naturalWidth > 0));
      }));
  }

  it("sees on the first screen what this is and how to play, without scrolling", () =>
    look("/", async (page) => {
      for (const name of ["Board games at your own pace", "Play now, against an engine", "Play with a friend"]) {
        const { y, height } = await page.getByRole("heading", { name }).boundingBox();
        assert.ok(y + height < 800, name);
      }
      const { y, height } = await page.getByRole("button", { name: "Play now" }).boundingBox();
      assert.ok(y + height < 800);
    }));

  it("sees the boards of running games change", () =>
    look("/", async (page) => {
      await page.clock.install();
      await page.reload();
      await page.route(`${url}/`, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: (await answer.text()).replaceAll("· round", "· lap") });
      });
      await page.clock.runFor(21_000);
      await page.locator("[data-live=running]", { hasText: "lap" }).waitFor();
    }));

  it("invites a friend, whose address goes into the letter and nowhere else", () =>
    look("/", async (page, asked) => {
      await page.getByLabel("Game", { exact: true }).selectOption("boundary");
      await page.getByLabel("Time", { exact: true }).selectOption("3");
      await page.getByRole("button", { name: "Write the invitation" }).click();
      await page.getByLabel("Your friend’s e-mail address").fill("ben@example.net");
      assert.equal(await page.locator("#line output").innerText(), "new boundary with ben@example.net, days 3");
      const letter = await page.getByRole("link", { name: "Write the mail" }).getAttribute("href");
      assert.ok(letter.startsWith(`mailto:${mailbox}?`));
      assert.ok(decodeURIComponent(letter).endsWith("body=new boundary with ben@example.net, days 3\n"));
      assert.ok(asked.every((one) => !one.includes("ben")));
    }));

  it("goes from the rules of a game to a first game against a beginner", () =>
    look("/", async (page) => {
      await page.getByRole("link", { name: "Learn in two minutes how to play Boundary" }).click();
      await page.getByRole("link", { name: "Play a first game, against Beginner" }).click();
      assert.equal(await page.locator("#line output").innerText(), "new boundary with engine:1");
    }));

  it("reads all of it without script", () =>
    look(
      "/invite?game=boundary",
      async (page) => {
        assert.equal(await page.locator("#line output").innerText(), "new boundary with ADDRESS");
        assert.ok(await page.getByLabel("Your friend’s e-mail address").isHidden());
      },
      { javaScriptEnabled: false },
    ));
});
