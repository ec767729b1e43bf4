// What becomes of a move when its player's browser is interrupted: reads the page again at every step, loses an answer
// of the desk, cannot keep anything, or looks from two windows at once.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { SOON } from "./hands.js";
import { DESK, launch } from "./pages.js";
import { awaited, choose, codeOf, linkOf, moves, pair, seals, sides, type, url } from "./seats.js";

const [made, next] = moves;
const heard = [];
const posted = [];
let browser;
const seats = {};

before(async () => {
  browser = await launch();
  for (const side of sides) {
    const context = await browser.newContext({ viewport: DESK });
    await context.addInitScript(() =>
      addEventListener("securitypolicyviolation", ({ violatedDirective }) => console.error(violatedDirective)),
    );
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    page.on("pageerror", (error) => heard.push(String(error)));
    page.on("console", (message) => message.text().startsWith("Failed to load") || heard.push(message.text()));
    context.on("request", (request) => posted.push(`${request.url()} ${request.postData() ?? ""}`));
    seats[side] = { context, page };
  }
});
after(() => browser.close());

const box = (page) => page.getByLabel("Seal my move in this browser");
const ready = (page) => page.locator("#turn .state:visible, #turn .confirm:visible").first().waitFor();
const told = (pattern) => posted.filter((one) => pattern.test(one));
const waits = (page) => page.getByRole("heading", { name: "Your move is sealed" }).waitFor();

/** Has the desk do what is asked at an address, and the browser hear nothing of it, so many times. */
const lose = async (page, name, times = 1) => {
  const lost = [];
  await page.route(`**/${name}`, async (route) => {
    if (lost.length === times) return route.continue();
    lost.push(route.request().postData());
    await route.fetch();
    return route.abort();
  });
  return lost;
};

/** Has what is asked at an address never reach the desk, so many times. */
const fail = (page, name, times) => page.route(`**/${name}`, (route) => route.abort(), { times });

it("asks the desk nothing about a move that is sealed, however often the page is read again", async () => {
  for (const [number, side] of sides.entries()) {
    const { page } = seats[side];
    const link = url + (await linkOf(side, 1));
    await page.goto(link);
    await page.reload();
    await seals(page);
    await page.reload();
    await ready(page);
    assert.ok(await box(page).isChecked());
    await type(page, made[side]);
    await page.reload();
    await ready(page);
    assert.ok(await box(page).isChecked());
    assert.deepEqual(told(/\/trial|reveal /), []);
    if (number) continue;
    const lost = await lose(page, "move");
    const before = codeOf(side);
    await choose(page, made[side]);
    await pair(page, side, before);
    await waits(page);
    assert.equal(lost.length, 1);
    await page.reload();
    await waits(page);
  }
});

it("cannot make another move in a second window", async () => {
  const [side] = sides;
  const second = await seats[side].context.newPage();
  await second.goto(seats[side].page.url());
  await waits(second);
  assert.equal(await second.locator(".plate.choosing").count(), 0);
  await second.close();
});

it("reveals a move once all moves are in, as soon as the desk can be reached", async () => {
  const [first, last] = sides;
  assert.deepEqual(told(/reveal /), []);
  await fail(seats[first].page, "move", 1);
  const before = codeOf(last);
  await choose(seats[last].page, made[last]);
  await pair(seats[last].page, last, before);
  const [one, other] = await Promise.all(sides.map((side) => linkOf(side, 2)));
  assert.ok(one && other);
  const nonces = posted.flatMap((one) => /reveal [^"]* ([0-9a-f]{64})/.exec(one)?.[1] ?? []);
  assert.equal(new Set(nonces).size, sides.length);
  assert.ok(nonces.length > sides.length);
});

it("says so when it can keep nothing, and shows the line until it is sent", async () => {
  const [side] = sides;
  const { page, context } = seats[side];
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    if (navigator.clipboard) Object.assign(navigator.clipboard, { writeText });
  });
  await page.reload();
  await seals(page);
  await choose(page, next[side]);
  await page.getByText("This browser cannot keep it.").waitFor();
  await waits(page);
  await page.getByText("This browser does not have your sealed move").waitFor();
  const line = await page.locator("#kept output").textContent();
  assert.match(line, /^reveal /);
  assert.ok(await page.locator("#kept output").isVisible(), "it is nowhere else");
  await page.locator("#kept").getByRole("button", { name: "Copy" }).click();
  await page.getByText("This browser does not let the page copy").waitFor();
  assert.equal(await page.locator("#kept output").innerText(), line);
  assert.deepEqual(heard, []);
});

it("has no box for sealing where the browser makes no digests", async () => {
  const [, side] = sides;
  const { page, context } = seats[side];
  await context.addInitScript(() => {
    Object.defineProperty(crypto, "subtle", { value: undefined });
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException("no", "SecurityError");
        },
      });
    }
  });
  await page.reload();
  await page.locator("#turn .state:visible").waitFor();
  assert.ok(await page.locator("#sealing").isHidden());
  await choose(page, next[side]);
  await page.getByRole("heading", { name: /^(Your move is sealed|Reveal|All moves)/ }).waitFor();
  assert.deepEqual(heard, []);
});

it("listens again once there is room for another stream", async () => {
  const page = await (await browser.newContext({ viewport: DESK })).newPage();
  await page.clock.install();
  let asked = 0;
  await page.route("**/events", (route) => ((asked += 1) > 1 ? route.continue() : route.fulfill({ status: 503 })));
  await page.goto(seats[sides[0]].page.url().split("#")[0]);
  await awaited(() => asked === 1);
  await new Promise((resolve) => setTimeout(resolve, SOON));
  await page.clock.fastForward(60_000);
  await awaited(() => asked === 2);
});
