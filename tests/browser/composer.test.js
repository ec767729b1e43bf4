// What somebody does with a board to choose a move on. RECORDS is the folder that test_composer.py has made.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { neighbour } from "../../referee/draw/templates/composer/compass.js";
import { judgeBy, treeOf } from "../../referee/draw/templates/composer/tree.js";
import { HANDS, SOON, buttonOf, wayOf } from "./hands.js";
import { DESK, PHONE, accessible, launch, visit } from "./pages.js";

const PAGES = process.env.RECORDS;
const MODULES = fileURLToPath(new URL("../../referee/draw/templates/", import.meta.url));
const MOVES = JSON.parse(readFileSync(join(PAGES, "moves.json"), "utf8"));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const open = (game, act, options) => visit(browser, PAGES, game, act, options);
const dataOf = (page) => page.$eval("#data", (data) => JSON.parse(data.textContent));
const treeOn = async (page) => treeOf((await dataOf(page)).tree);
const chosen = (page) => page.locator(".state").innerText();

async function confirmed(page, text) {
  assert.equal(await page.locator(".review .notation").innerText(), text);
  assert.notEqual(await page.locator(".sentence").innerText(), "");
}

async function finish(page, text, press) {
  await confirmed(page, text);
  await page.waitForTimeout(SOON);
  await press(page, page.locator(".confirm"));
  assert.equal(await page.locator("#line").innerText(), text);
}

for (const [game, moves] of Object.entries(MOVES)) {
  describe(`a move of ${game}`, () => {
    for (const text of moves) {
      for (const [hand, { options, choose, press }] of Object.entries(HANDS)) {
        it(`${text} by ${hand}`, () =>
          open(
            game,
            async (page) => {
              for (const target of wayOf(await treeOn(page), text)) await choose(page, target);
              await finish(page, text, press);
            },
            options,
          ));
      }
    }

    for (const colorScheme of ["light", "dark"]) {
      for (const viewport of [DESK, PHONE]) {
        it(`can be used by all, ${colorScheme}, ${viewport.width} px wide`, () =>
          open(
            game,
            async (page) => {
              await accessible(page, viewport);
              for (const target of wayOf(await treeOn(page), moves[0])) {
                await buttonOf(page, target).click();
                await accessible(page, viewport);
              }
            },
            { colorScheme, viewport },
          ));
      }
    }

    it("has every target within reach of the arrows", () =>
      open(game, async (page) => {
        const { targets } = (await dataOf(page)).tree;
        const places = targets.filter(({ place, beside }) => place && !beside).map(({ place: [x, y] }) => ({ x, y }));
        const seen = new Set(places.slice(0, 1));
        for (const here of seen) {
          for (const way of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
            const next = neighbour(places, here, way);
            if (next) seen.add(next);
          }
        }
        assert.equal(seen.size, places.length);
      }));
  });
}

describe("a board", () => {
  it("goes back step by step, by a button and by Escape", () =>
    open("beams", async (page) => {
      const start = await chosen(page);
      const way = wayOf(await treeOn(page), MOVES.beams[0]);
      for (const target of way.slice(0, 2)) await buttonOf(page, target).click();
      await page.getByRole("button", { name: /^(Back|Other )/ }).click();
      await buttonOf(page, way[1]).focus();
      await page.keyboard.press("Escape");
      assert.equal(await chosen(page), start);
    }));

  it("shows the board as it would be, and again as it is", () =>
    open("beams", async (page) => {
      const picture = () => page.locator("svg.scene").innerHTML();
      const before = await picture();
      for (const target of wayOf(await treeOn(page), MOVES.beams[0])) await buttonOf(page, target).click();
      await page.waitForFunction((old) => document.querySelector("svg.scene").innerHTML !== old, before);
      await page.getByRole("button", { name: "Change" }).click();
      assert.equal(await picture(), before);
    }));

  it("takes a typed move, and says where a text goes wrong", () =>
    open("laser-chess", async (page) => {
      const [move] = MOVES["laser-chess"];
      const field = page.getByLabel("Or type the move");
      await field.fill("m e9-e5");
      await page.keyboard.press("Enter");
      assert.match(await page.locator(".fault").innerText(), /^Column \d+: no legal move goes on like this/);
      assert.match(await page.locator(".entry pre").innerText(), /\n {3,}\^$/);
      assert.equal(await page.locator(".confirm").isDisabled(), true);
      await field.fill(move.toLowerCase());
      await page.keyboard.press("Enter");
      await finish(page, move, (_, button) => button.click());
    }));

  it("does not confirm what a second touch hits at once", () =>
    open("boundary", async (page) => {
      const way = wayOf(await treeOn(page), MOVES.boundary[0]);
      for (const target of way.slice(0, -1)) await buttonOf(page, target).click();
      await buttonOf(page, way.at(-1)).evaluate((button) => {
        button.click();
        document.querySelector(".confirm").click();
      });
      await confirmed(page, MOVES.boundary[0]);
      assert.equal(await page.locator("#line").isVisible(), false);
    }));

  it("keeps a draft when the page is loaded again", () =>
    open("beams", async (page) => {
      for (const target of wayOf(await treeOn(page), MOVES.beams[0]).slice(0, 2)) await buttonOf(page, target).click();
      const said = await chosen(page);
      await page.reload();
      assert.equal(await chosen(page), said);
    }));

  it("tells what is on every place and whether it can be chosen", () =>
    open("beams", async (page) => {
      const names = await page.$$eval("[role=grid] button", (all) => all.map((one) => one.getAttribute("aria-label")));
      assert.equal(new Set(names).size, names.length);
      assert.equal(await page.locator('[role=grid] button[tabindex="0"]').count(), 1);
      const open = await page.$$eval('[role=grid] button[aria-disabled="false"]', (all) => all.length);
      assert.equal(names.filter((name) => name.endsWith(", can be chosen")).length, open);
    }));

  it("gives the position in words without script", () =>
    open("beams", async (page) => assert.ok((await page.locator("noscript li, main li").count()) > 5), {
      javaScriptEnabled: false,
    }));
});

describe("typed moves", () => {
  it("are judged by the list of legal moves alone", async () => {
    const [{ tree: data }] = JSON.parse(readFileSync(join(PAGES, "states.json"), "utf8"));
    const tree = treeOf(data);
    assert.deepEqual(await judgeBy(tree)("  p  A1-a2 "), { move: "P a1-a2" });
    const verdict = await judgeBy(tree)("P a1-a6");
    assert.equal(verdict.column, 7);
    assert.ok(verdict.suggestions.every((move) => move.startsWith("P a1-a")));
    assert.equal((await judgeBy(tree)("P a1")).message, "the move goes on");
  });
});

// The same modules, not joined, from a server with a strict policy; the game goes on while somebody chooses.
describe("a served board", () => {
  const TYPES = { ".js": "text/javascript", ".json": "application/json", ".css": "text/css", ".html": "text/html" };
  const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'";
  const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Board</title>
    <link rel="stylesheet" href="/modules/page.css"><link rel="stylesheet" href="/modules/composer.css">
    <main><h1>Board</h1><section class="composer" aria-label="Choose a move"></section></main>
    <script type="module" src="/boot.js"></script></html>`;
  const BOOT = `import { compose } from "/modules/composer/composer.js";
    const [states, previews] = await Promise.all(["/states.json", "/previews.json"].map(async (name) => (await fetch(name)).json()));
    globalThis.states = states;
    globalThis.sent = [];
    globalThis.board = compose(document.querySelector(".composer"), states[0], {
      key: "served",
      preview: async (text) => {
        if (text === "P z9-z8") throw new Error("nothing is shown");
        return previews[text] ?? null;
      },
      judge: async (text) => {
        const move = { everything: "P a1-a2", "the same in other words": "P z9-z8" }[text];
        return move ? { move } : { column: 3, message: "as letters say", suggestions: ["P a1-a2"] };
      },
      confirm: (move) => sent.push(move),
    });`;

  let server;
  before(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url, "http://localhost");
      const give = (text, kind) =>
        response.writeHead(200, { "content-type": TYPES[kind], "content-security-policy": POLICY }).end(text);
      if (pathname === "/") give(PAGE, ".html");
      else if (pathname === "/boot.js") give(BOOT, ".js");
      else if (pathname.startsWith("/modules/")) give(readFileSync(join(MODULES, pathname.slice(9))), extname(pathname));
      else if (["/states.json", "/previews.json"].includes(pathname)) give(readFileSync(join(PAGES, pathname)), ".json");
      else response.writeHead(204).end();
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
  });
  after(() => new Promise((done) => server.close(done)));

  const served = async (act, passedOver = /^$/) => {
    const context = await browser.newContext({ viewport: DESK });
    const page = await context.newPage();
    const heard = [];
    page.on("console", (message) => heard.push(message.text()));
    page.on("pageerror", (error) => heard.push(String(error)));
    try {
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await page.locator("[role=grid] button").first().waitFor();
      await act(page);
      assert.deepEqual(heard.filter((text) => !passedOver.test(text)), []);
    } finally {
      await context.close();
    }
  };
  const cell = (page, name) => page.locator(`[role=grid] button[aria-label^="${name},"]`);

  it("keeps the draft when the game goes on, and a move that is no longer legal as far as it is", () =>
    served(async (page) => {
      await cell(page, "a1").focus();
      await page.keyboard.press("Enter");
      await page.evaluate(() => board.update(states[1]));
      assert.match(await page.locator("h2:visible").innerText(), / on a1$/);
      assert.ok(await page.evaluate(() => document.activeElement.matches("[role=grid] button")));
      assert.match(await page.locator(".unseen").innerText(), /Your draft is kept/);
      await page.evaluate(() => board.update(states[0]));
      await cell(page, "a2").click();
      assert.equal(await page.locator(".review .notation").innerText(), "P a1-a2");
      await page.evaluate(() => board.update(states[1]));
      assert.equal(await page.locator(".review .notation").innerText(), "");
      assert.match(await page.locator(".unseen").innerText(), /Choose again from here/);
    }));

  it("ends the draft where another board is shown, and says which", () =>
    served(async (page) => {
      await cell(page, "a1").click();
      await page.evaluate(() => board.update(states[1], "Ply 2."));
      assert.match(await chosen(page), /^Choose /);
      assert.equal(await page.locator(".unseen").innerText(), "Ply 2.");
      assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    }));

  it("keeps the draft where a browser keeps nothing", () =>
    served(async (page) => {
      await page.evaluate(() => {
        const forbidden = () => {
          throw new DOMException("forbidden", "SecurityError");
        };
        Object.defineProperty(globalThis, "sessionStorage", { get: forbidden });
      });
      await cell(page, "a1").click();
      await page.evaluate(() => board.update(states[1]));
      assert.match(await page.locator("h2:visible").innerText(), / on a1$/);
    }));

  it("does not move while a button is down", () =>
    served(async (page) => {
      const picture = () => page.locator("svg.scene").innerHTML();
      const before = await picture();
      await cell(page, "b4").hover();
      await page.mouse.down();
      await page.evaluate(() => board.update(states[1]));
      assert.equal(await picture(), before);
      await page.mouse.up();
      await page.waitForFunction((old) => document.querySelector("svg.scene").innerHTML !== old, before);
    }));

  it("asks others to judge and to preview, and hands a move over once it is confirmed", () =>
    served(async (page) => {
      const field = page.getByLabel("Or type the move");
      await field.fill("P x");
      await page.keyboard.press("Enter");
      await page.getByText("Column 3: as letters say. Try: P a1-a2").waitFor();
      const before = await page.locator("svg.scene").innerHTML();
      await field.fill("everything");
      await page.keyboard.press("Enter");
      await page.waitForFunction((old) => document.querySelector("svg.scene").innerHTML !== old, before);
      await page.waitForTimeout(SOON);
      await page.locator(".confirm").click();
      assert.deepEqual(await page.evaluate(() => sent.map((move) => move.text)), ["P a1-a2"]);
      assert.equal(await page.evaluate(() => sessionStorage.length), 0);
      assert.equal(await page.locator(".confirm").isDisabled(), true);
    }));

  it("shows names and pictures that mean harm as text and shapes, beside another board", () =>
    served(async (page) => {
      const found = await page.evaluate(async () => {
        const { compose } = await import("/modules/composer/composer.js");
        const harm = '<img src=x onerror="alert(1)">"\'&<script>alert(1)</script>';
        const { tree, board } = structuredClone(states[0]);
        for (const target of tree.targets) Object.assign(target, { name: harm, phrase: harm });
        const shape = board.svg.indexOf("<g");
        const svg = `${board.svg.slice(0, shape)}<script>alert(1)</script><image href="x" onload="alert(1)"/>
          <a href="javascript:alert(1)"><text>away</text></a><g onclick="alert(1)" style="fill: url(x)"/>${board.svg.slice(shape)}`;
        const section = document.createElement("section");
        document.querySelector("main").append(section);
        compose(section, { tree, board: { ...board, svg, text: harm } }, { key: "harm", confirm: () => {} });
        section.querySelector('[aria-disabled="false"]').click();
        const all = [...section.querySelectorAll("*")];
        return {
          text: section.textContent.includes(harm),
          harmful: all.filter((one) => ["img", "script", "image", "a", "foreignObject"].includes(one.localName)).length,
          handlers: all.flatMap((one) => one.getAttributeNames()).filter((name) => /^on|href|src/.test(name)),
          ids: all.length - new Set(all.map((one, at) => one.id || at)).size,
          twice: document.querySelectorAll(`#${section.querySelector("input").id}`).length,
        };
      });
      assert.deepEqual(found, { text: true, harmful: 0, handlers: [], ids: 0, twice: 1 });
      // The browser says so already where it only reads what is then left out.
    }, /violates the following Content Security Policy directive .* has been blocked/));

  it("takes a legal move that is in no list, though nothing shows what it would do", () =>
    served(async (page) => {
      await page.getByLabel("Or type the move").fill("the same in other words");
      await page.keyboard.press("Enter");
      assert.equal(await page.locator(".review .notation").innerText(), "P z9-z8");
      await page.waitForTimeout(SOON);
      await page.keyboard.press("Escape");
      assert.equal(await page.locator(".confirm").isDisabled(), true);
      await page.getByLabel("Or type the move").fill("the same in other words");
      await page.keyboard.press("Enter");
      await page.waitForTimeout(SOON);
      await page.locator(".confirm").click();
      assert.deepEqual(await page.evaluate(() => sent.map((move) => move.text)), ["P z9-z8"]);
    }));
});
