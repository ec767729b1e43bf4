// What somebody does with the referee in one page, offline. RECORDS is the folder that test_onepage.py has made.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { deflateRawSync, deflateSync } from "node:zlib";
import { fileInLink } from "../../referee/web/onepage/page/link.js";
import { filesOf, unpacked } from "../../referee/web/onepage/page/parts.js";
import { accessibleToAll, launch, visit } from "./pages.js";

const PAGES = process.env.RECORDS;
const READY = 60_000;
const SOON = 450;
const judged = (name) => JSON.parse(readFileSync(join(PAGES, `${name}.json`), "utf8"));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const ready = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: READY });

/** Opens the page offline, and waits for the referee. */
const open = (act, options = {}) =>
  visit(
    browser,
    PAGES,
    "referee",
    async (page) => {
      await ready(page);
      await act(page);
    },
    { offline: true, ...options },
  );

const tab = (page, name) => page.getByRole("tab", { name }).click();
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
const standing = (page) => page.locator(".standing").innerText();
const told = (page, text) => page.locator(".standing", { hasText: text }).waitFor();

async function begin(page, game, options = {}) {
  await tab(page, "Board");
  await page.getByLabel("The game", { exact: true }).selectOption(game);
  for (const [label, value] of Object.entries(options)) await page.getByLabel(label).fill(value);
  await press(page, "Begin this game");
  await page.locator(".shelf svg.scene").waitFor();
}

async function confirm(page) {
  await page.locator(".confirm:not(:disabled)").waitFor();
  await page.waitForTimeout(SOON);
  await page.locator(".confirm").click();
}

async function type(page, move) {
  const field = page.getByLabel("Or type the move");
  await field.fill(move);
  await field.press("Enter");
  await confirm(page);
}

const moveList = (page) =>
  page.locator(".moves button").evaluateAll((buttons) => buttons.map((button) => button.innerText));

/** The text of a file that a button saves. */
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
  return readFileSync(await download.path(), "utf8");
}

describe("a part of the page", () => {
  const bundle = Buffer.from(JSON.stringify({ "a.py": "1 ≥ 0" }));

  for (const own of [true, false]) {
    it(`is unpacked ${own ? "by the browser" : "where the browser knows no base64"}`, async () => {
      const known = Uint8Array.fromBase64;
      Uint8Array.fromBase64 = own ? (text) => new Uint8Array(Buffer.from(text, "base64")) : undefined;
      try {
        const content = await unpacked(deflateSync(bundle).toString("base64"));
        assert.deepEqual(filesOf(content), [["a.py", "1 ≥ 0"]]);
      } finally {
        Uint8Array.fromBase64 = known;
      }
    });
  }
});

describe("a link", () => {
  const linkTo = (content) => `referee.html#game=${deflateRawSync(content).toString("base64url")}`;

  it("has a game behind its #", async () => {
    assert.equal(await fileInLink(linkTo("game: boundary\n")), "game: boundary\n");
    assert.equal(await fileInLink("game: boundary\n"), null);
  });

  it("is not unpacked if it would fill the memory, and is reported as damaged", async () => {
    for (const link of [linkTo(Buffer.alloc(50_000_000)), `${linkTo("game")}!`, linkTo("game").slice(0, -3)]) {
      await assert.rejects(fileInLink(link), /the link is damaged/);
    }
    await assert.rejects(fileInLink(`#game=${"A".repeat(2_000_000)}`), /too long/);
  });
});

describe("texts that were pasted", () => {
  const same = async (page, { room, label, verb, name }) => {
    const texts = judged(name);
    await tab(page, room);
    const found = await page.evaluate(
      async ([all, place, action]) => {
        const panel = document.querySelector("[role=tabpanel]:not([hidden])");
        const area = panel.querySelector("textarea");
        const game = panel.querySelector("select");
        const button = [...panel.querySelectorAll("button")].find((one) => one.innerText === action);
        const said = [];
        for (const { text, game: wanted } of all) {
          area.value = text;
          area.dispatchEvent(new Event("input"));
          if (game) game.value = wanted;
          const answer = panel.querySelector(".answer");
          button.click();
          await new Promise((done) => {
            const watch = new MutationObserver(() => {
              if (answer.querySelector(".said")) done(watch.disconnect());
            });
            watch.observe(answer, { childList: true });
          });
          said.push([answer.querySelector(".said").textContent, answer.querySelector(".verdict").className]);
        }
        return said;
      },
      [texts, label, verb],
    );
    const wrong = texts.filter(
      ({ said, status }, number) =>
        found[number][0] !== said || found[number][1] !== (status ? "verdict wrong" : "verdict"),
    );
    assert.deepEqual(
      wrong.slice(0, 3).map((one) => [one, found[texts.indexOf(one)]]),
      [],
    );
    assert.equal(wrong.length, 0);
  };

  it("are judged, audited and compared with letters as by the command", () =>
    open(async (page) => {
      await same(page, { room: "Check", verb: "Judge", name: "lists" });
      await same(page, { room: "Audit", verb: "Audit", name: "logs" });
      await page.locator("summary", { hasText: "Compare it with letters" }).click();
      const uploaded = (files) =>
        files.map(({ name, content }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content, "latin1") }));
      const [heads, letters] = await page.locator("#room-audit input[multiple]").all();
      for (const one of judged("compared")) {
        await page.getByLabel("The log of a game").fill(one.log);
        await heads.setInputFiles(uploaded(one.heads));
        await letters.setInputFiles(uploaded(one.letters));
        await press(page, "Audit");
        await page.getByText("One moment.").waitFor({ state: "detached" });
        assert.equal(await page.locator("#room-audit .answer .said").textContent(), one.said);
        const verdict = await page.locator("#room-audit .answer .verdict").getAttribute("class");
        assert.equal(verdict, one.status ? "verdict wrong" : "verdict");
      }
      await heads.setInputFiles([]);
      await letters.setInputFiles([]);
      await page.getByLabel("Letters whose log heads").fill(judged("compared")[1].heads[0].content);
      await press(page, "Audit");
      await page.getByText("One moment.").waitFor({ state: "detached" });
      assert.equal(await page.locator("#room-audit .answer .said").textContent(), judged("compared")[1].said);
    }));

  it("are shown on the board when they hold, and pointed at where they do not", () =>
    open(async (page) => {
      await press(page, "Choose a file, or paste");
      const paper = page.getByLabel("A game file, an archive or a move list");
      await paper.fill("1. P M1 A2 12 | P S B1\n2. P S B1 | P M1 A14 12\n");
      await page.getByLabel("It is").selectOption("beams");
      await press(page, "Judge");
      await page.getByRole("button", { name: "Line 2, column 13: adjacent-generator" }).click();
      const place = await paper.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
      assert.equal(place, "P M1 A14 12");
      await paper.fill("1. P M1 A2 12 | P S B1\n");
      await press(page, "Judge");
      await press(page, "Show it on the board");
      await told(page, "After ply 1");
    }));
});

describe("a game on one device", () => {
  it("is played, taken back and varied; the variations are in the file, and in the link", () =>
    open(async (page) => {
      await begin(page, "boundary");
      await type(page, "P a1-a2");
      await told(page, "After ply 1");
      await type(page, "p f1-f2");
      await told(page, "After ply 2");
      await press(page, "Previous");
      await told(page, "After ply 1");
      await type(page, "P f1-e1");
      await told(page, "After ply 2");
      assert.deepEqual(await moveList(page), ["Start", "1. P a1-a2", "2. P f1-f2", "2. P f1-e1"]);
      const file = await saved(page, "Save the game file");
      assert.match(file, /P a1-a2 \| P f1-f2\nvariations:\n {2}- moves: \|\n {6}1\. \.\.\. \| P f1-e1\n$/);
      await press(page, "Make this the main line");
      await page.waitForFunction(() => document.querySelectorAll(".moves button")[2].innerText === "2. P f1-e1");
      await press(page, "Copy a link");
      await page.getByText(/The link is copied|Copy the link/).waitFor();
      const link = await page.getByLabel("To copy").inputValue();
      await page.goto("about:blank");
      await page.goto(link);
      await ready(page);
      await told(page, "After ply 2");
      assert.deepEqual(await moveList(page), ["Start", "1. P a1-a2", "2. P f1-e1", "2. P f1-f2"]);
      await press(page, "Remove this ply and what follows");
      await told(page, "After ply 1");
      assert.match(page.url(), /#key=[\w-]{43}$/);
      await page.evaluate((hash) => (location.hash = hash), link.split("#")[1]);
      await told(page, "After ply 2");
      assert.deepEqual(await moveList(page), ["Start", "1. P a1-a2", "2. P f1-e1", "2. P f1-f2"]);
    }));

  it("keeps the first of two moves that are made at once to itself", () =>
    open(async (page) => {
      await begin(page, "beams", { "Who plays south": "Ada" });
      await type(page, "P M1 A2 12");
      await told(page, "The move of south is kept");
      assert.doesNotMatch(await page.locator(".room:not([hidden])").innerText(), /M1 A2 12|A2/);
      assert.equal(await page.getByLabel("Or type the move").inputValue(), "");
      assert.doesNotMatch(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])), /A2/);
      await type(page, "P S B3");
      await told(page, "After ply 1");
      assert.deepEqual(await moveList(page), ["Start", "1. P M1 A2 12 | P S B3"]);
      assert.match(await saved(page, "Save the game file"), /south: \{name: Ada\}/);
    }));

  it("is one of all four, composed on the board by mouse", () =>
    open(async (page) => {
      for (const game of ["beams", "boundary", "the-beam", "laser-chess"]) {
        if (game !== "beams") {
          await page.reload();
          await ready(page);
        }
        await begin(page, game);
        for (let step = 0; step < 8 && (await page.locator(".confirm").isDisabled()); step += 1) {
          const choices = page.locator('.surface [role=grid] button[aria-disabled="false"], .composer .list button');
          await choices.first().evaluate((button) => button.click());
        }
        assert.notEqual(await page.locator(".sentence").innerText(), "");
        const before = await standing(page);
        await confirm(page);
        await page.waitForFunction((old) => document.querySelector(".standing").innerText !== old, before);
        assert.equal(await page.locator(".shelf .fault[role=alert]").innerText(), "");
      }
    }));

  it("goes on after the page was closed", () =>
    open(async (page) => {
      await begin(page, "the-beam");
      const move = await page.locator("datalist option").first().getAttribute("value");
      await type(page, move);
      await told(page, "After ply 1");
      await page.reload();
      await ready(page);
      await tab(page, "Board");
      await press(page, "Go on: The Beam, ply 1");
      await told(page, "After ply 1");
      assert.equal(await page.locator(".confirm").isDisabled(), true);
    }));

  it("comes from a link, if it is whole, or an example, and leaves as record, picture and text", () =>
    open(async (page) => {
      await tab(page, "Board");
      await page.locator("summary", { hasText: "Open a game" }).click();
      await page.getByLabel("A game file, or a link to a game").fill("x#game=abcdef");
      await press(page, "Open it");
      await page.getByText("the link is damaged").waitFor();
      await page.getByLabel("An example").selectOption("opening");
      await press(page, "Open the example");
      await told(page, "After ply 5");
      assert.match(await saved(page, "Save the record as a page"), /<!doctype html>[^]*Ada Lovelace/);
      assert.match(await saved(page, "Save the last board as SVG"), /^<svg /);
      await press(page, "Copy the game as text");
      await page.getByText(/The text is copied|Copy the text/).waitFor();
      const text = await page.getByLabel("To copy").inputValue();
      assert.match(text, /^game: beams\n[^]*5\. P R1 B15 10 {2}\| P S G6\n$/);
      assert.doesNotMatch(text, /@/);
    }));
});

describe("a sealed move", () => {
  const digest = "a1".repeat(32);
  const COMMAND = `referee seal spring-7 3 south --rules 'beams 1' --opening ${digest} --head ${digest}`;

  it("is refused with the reason, or kept in this browser with the line that reveals it", () =>
    open(async (page) => {
      await tab(page, "Seal");
      await page.getByLabel("The command of the letter").fill(COMMAND.replace(digest, "a"));
      await page.getByLabel("Your move").fill("p m1 a2 12");
      await press(page, "Seal it");
      await page.getByText("copy both from the letter").waitFor();
      assert.equal(await page.locator(".seals li").count(), 0);
      await page.getByLabel("The command of the letter").fill(COMMAND);
      await press(page, "Seal it");
      await page.locator(".answer code").first().waitFor();
      const [sent, kept] = await page.locator(".answer code").allInnerTexts();
      assert.match(sent, /^seal [0-9a-f]{64}$/);
      assert.match(kept, /^reveal P M1 A2 12 [0-9a-f]{64}$/);
      await page.reload();
      await ready(page);
      await tab(page, "Seal");
      assert.equal(await page.locator(".seals code:visible").innerText(), sent);
      await press(page, "Reveal");
      assert.deepEqual(await page.locator(".seals code:visible").allInnerTexts(), [sent, kept]);
      assert.match(await saved(page, "Save as text"), new RegExp(kept));
      await press(page, "Forget");
      await page.locator(".seals li").waitFor({ state: "detached" });
    }));

  it("comes from the board, where it is not played", () =>
    open(async (page) => {
      await begin(page, "beams");
      await page.getByLabel("Confirming seals the move").check();
      await type(page, "P M1 A2 12");
      assert.equal(await page.getByLabel("Your move").inputValue(), "P M1 A2 12");
      await tab(page, "Board");
      assert.match(await standing(page), /^After ply 0/);
    }));

  it("is signed with a key that the page does not keep, and so is another line", () =>
    open(async (page) => {
      const { key, resign } = judged("signed");
      const lines = async (button) => {
        await press(page, button);
        await page.locator(".answer code").first().waitFor();
        return page.locator(".answer code").allInnerTexts();
      };
      await tab(page, "Seal");
      await page.getByLabel("The command of the letter").fill(COMMAND);
      await page.getByLabel("Your move").fill("P M1 A2 12");
      await page.getByLabel("The file of your key").setInputFiles({ name: "key", mimeType: "text/plain", buffer: Buffer.from(key) });
      for (const text of await lines("Seal it")) assert.match(text, /\nsigned [0-9a-f]{64} [0-9a-f]{64}$/);
      await page.getByLabel("The command of the letter").fill(COMMAND.replace("seal", "sign"));
      await page.getByLabel("Your move").fill("Resign");
      await press(page, "Sign it");
      await page.getByText("Send both lines").waitFor();
      assert.equal(`${await page.locator(".answer code").innerText()}\n`, resign);
      const seed = key.split("\n")[1];
      assert.equal(await page.evaluate((text) => JSON.stringify({ ...localStorage }).includes(text), seed), false);
      await page.getByLabel("The file of your key").setInputFiles({ name: "key", mimeType: "text/plain", buffer: Buffer.from("x") });
      await press(page, "Sign it");
      await page.getByText("This is not a file that").waitFor();
    }));
});

describe("the page", () => {
  it("teaches each game with pictures, from the first screen on", () =>
    open(async (page) => {
      for (const [title, credit] of [["Beams, Boosters and Barriers", "Keith Wiley"], ["Laser Chess", "ThinkFun"]]) {
        await tab(page, "Start");
        await press(page, title);
        await page.getByRole("heading", { name: title }).waitFor();
        await page.getByText(credit).first().waitFor();
        const pictures = page.locator("#room-learn .lesson img");
        assert.ok((await pictures.count()) >= 3);
        await page.waitForFunction(() => [...document.querySelectorAll("#room-learn .lesson img")].every((one) => one.complete && one.naturalWidth && one.alt));
        await accessibleToAll(page);
      }
    }));

  it("shows the lesson of the chosen game as soon as its tab is opened", () =>
    open(async (page) => {
      await tab(page, "Learn");
      await page.getByRole("heading", { name: "Beams, Boosters and Barriers" }).waitFor();
      await page.getByLabel("The game to learn").selectOption("boundary");
      await page.getByRole("heading", { name: "Boundary" }).waitFor();
    }));

  it("can be used by all, on a desk and on a phone, by day and by night", () =>
    open(async (page) => {
      for (const room of ["Start", "Learn", "Check", "Audit", "Engine", "Duel", "Seal", "About", "Board"]) {
        await tab(page, room);
        await accessibleToAll(page);
      }
      await page.getByLabel("An example").selectOption("opening");
      await press(page, "Open the example");
      await told(page, "After ply 5");
      await accessibleToAll(page);
      await press(page, "Previous");
      await told(page, "After ply 4");
      await type(page, "P S A2");
      await told(page, "The move of south is kept");
      await accessibleToAll(page);
    }));

  it("is used by the keyboard alone", () =>
    open(async (page) => {
      await page.locator("button:enabled", { hasText: "Begin this game" }).waitFor({ state: "attached" });
      await page.keyboard.press("Tab");
      for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press("ArrowRight");
      assert.equal(await page.evaluate(() => document.activeElement.innerText), "Board");
      for (let steps = 0; steps < 30; steps += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => document.activeElement.innerText === "Begin this game")) break;
      }
      await page.keyboard.press("Enter");
      await page.locator(".shelf svg.scene").waitFor();
      for (let steps = 0; steps < 40; steps += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => document.activeElement.matches("[role=grid] button"))) break;
      }
      for (let steps = 0; steps < 6 && (await page.locator(".confirm").isDisabled()); steps += 1) {
        await page.keyboard.press("Enter");
      }
      assert.notEqual(await page.locator(".sentence").innerText(), "");
    }));

  it("says how far it is, and that it is ready", () =>
    visit(
      browser,
      PAGES,
      "referee",
      async (page) => {
        const seen = new Set();
        for (;;) {
          const state = await page.locator("#state").innerText();
          seen.add(state);
          if (state === "The referee is ready.") break;
          await page.waitForTimeout(20);
        }
        assert.ok(seen.has("The referee is starting Python."));
        assert.equal(await page.locator("progress").isVisible(), false);
      },
      { offline: true },
    ));

  it("says what to do where there is no script", () =>
    visit(
      browser,
      PAGES,
      "referee",
      async (page) => {
        assert.match(await page.locator("noscript").textContent(), /Without script, use the command/);
        assert.equal(await page.locator("progress").isVisible(), false);
      },
      { javaScriptEnabled: false },
    ));
});
