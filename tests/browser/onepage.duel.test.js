// Two friends, one with the one page and the other with `referee duel`, offline. RECORDS is the folder that
// test_onepage_duel.py has made, PYTHON runs the command.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { buttonOf } from "./hands.js";
import { PHONE, accessibleToAll, launch, visit } from "./pages.js";

const PAGES = process.env.RECORDS;
const READY = 60_000;
const SOON = 450;
const SMALLEST = 44;
const TOUCH = { viewport: PHONE, hasTouch: true, isMobile: true };
const prepared = (name) => JSON.parse(readFileSync(join(PAGES, `${name}.json`), "utf8"));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const ready = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: READY });
const tab = (page, name) => page.getByRole("tab", { name }).click();
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
const standing = (page) => page.getByLabel("How the duel stands").locator("li").allInnerTexts();
const still = (page) => page.locator(".duelled[aria-busy=false]").waitFor();
const stands = async (page, text) => {
  await page.getByLabel("How the duel stands").getByText(text).first().waitFor();
  await still(page);
};
const toSend = (page) => page.getByLabel("The message to send").inputValue();

/** Waits until what was pressed is answered: the duel of before may stand there meanwhile. */
async function answered(page) {
  await page.waitForFunction(() => !document.querySelector("#room-duel .answer").innerText.includes("One moment"));
  await page.locator(".duelled[aria-busy=true]").waitFor({ state: "detached" });
}

async function ask(page, name) {
  await press(page, name);
  await answered(page);
}

/** Opens the page offline at its tab for duels. */
const open = (act, options = {}) =>
  visit(
    browser,
    PAGES,
    "referee",
    async (page) => {
      await ready(page);
      await tab(page, "Duel");
      await act(page);
    },
    { offline: true, ...options },
  );

async function challenge(page, game, side, name) {
  await page.getByLabel("The game of the duel").selectOption(game);
  await page.getByLabel("You play", { exact: true }).selectOption(side);
  await page.locator("details", { hasText: "Challenge a friend" }).getByLabel("Your name").fill(name);
  await ask(page, "Open the duel");
  await page.locator(".duelled svg.scene").waitFor();
}

/** Pastes a text, and waits until it was read; gives what is said of it. */
async function paste(page, text) {
  await page.getByLabel("A message from your friend").fill(text);
  await ask(page, "Read it");
  return page.locator(".remarks li").allInnerTexts();
}

async function confirm(page, act = (button) => button.click()) {
  await page.locator(".duelled .confirm:not(:disabled)").waitFor();
  await page.waitForTimeout(SOON);
  const before = await toSend(page);
  await act(page.locator(".duelled .confirm"));
  await page.waitForFunction((old) => document.querySelector(".duelled .sending textarea").value !== old, before);
  await still(page);
}

async function type(page, move) {
  const field = page.locator(".duelled").getByLabel("Or type the move");
  await field.fill(move);
  await field.press("Enter");
  await confirm(page);
}

/** The text of a file that a button saves. */
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
  return readFileSync(await download.path(), "utf8");
}

/** A friend with the command, and a file of their own. */
const friendOf = () => {
  const file = join(mkdtempSync(join(tmpdir(), "duel-")), "ben.duel");
  const run = (input, ...words) =>
    execFileSync(process.env.PYTHON, ["-m", "referee", "duel", ...words], { input, encoding: "utf8" });
  return {
    join: (text) => run(text, "join", "-", "--name", "Ben", "-o", file),
    read: (text) => run(text, "read", file),
    play: (...lines) => run("", "play", file, ...lines),
    again: () => run("", "again", file),
    owes: () => run("", "show", file).includes("it is your move"),
    show: () => run("", "show", file),
    export: (...words) => run("", "export", file, ...words),
    check: (text) => run(text, "check", "-"),
    go: (state) => writeFileSync(file, state),
    file: () => readFileSync(file, "utf8"),
  };
};

describe("a whole game between the page and the command", () => {
  for (const { game, sides, moves } of prepared("games")) {
    it(`is one of ${game}, with one message a round to each side`, () =>
      open(async (page) => {
        const [mine, theirs] = sides;
        const left = structuredClone(moves);
        const ben = friendOf();
        await challenge(page, game, mine, "Ada");
        ben.join(await toSend(page));
        for (;;) {
          if (ben.owes()) ben.play(left[theirs].shift());
          assert.deepEqual(await paste(page, `Hello!\n${ben.again()}\nBen`), []);
          if ((await standing(page)).some((line) => line.startsWith("over"))) break;
          if ((await standing(page)).some((line) => line.includes("it is your move"))) await type(page, left[mine].shift());
          ben.read(await toSend(page));
          if (ben.show().includes("over: ")) {
            const last = ben.again();
            if (!(await standing(page)).some((line) => line.startsWith("over"))) continue;
            assert.deepEqual((await paste(page, last)).filter((line) => !line.startsWith("repeated")), []);
            break;
          }
        }
        await stands(page, "over: ");
        assert.deepEqual(left, { [mine]: [], [theirs]: [] });
        assert.equal(await saved(page, "Save the game file"), ben.export());
        const [held, ...who] = ben.check(await saved(page, "Save all messages")).split("\n");
        await page.locator("summary", { hasText: "Check all messages" }).click();
        await page.getByLabel("All messages of a duel").fill(ben.export("--messages"));
        await ask(page, "Check them");
        await page.getByText("The messages hold.").waitFor();
        const checked = await page.locator("#room-duel .said").innerText();
        assert.equal(checked.trim(), [held, ...who].join("\n").trim());
        assert.match(await saved(page, "Save the record as a page"), /<!doctype html>/);
        assert.match(await saved(page, "Save the board as SVG"), /^<svg /);
      }));
  }
});

describe("a duel", () => {
  it("goes on in the command with the file of the page, and on the page with that of the command", () =>
    open(async (page) => {
      await challenge(page, "beams", "south", "Ada");
      await type(page, "P M1 A2 12");
      const [ada, ben] = [friendOf(), friendOf()];
      ada.go(await saved(page, "Save the file of this duel"));
      ben.join(ada.again());
      ben.play("P S A2");
      assert.match(ada.read(ben.again()), /north 0: \[join; (seal [0-9a-f]{8}\.\.\.|P S A2)\]/);
      await page.locator("summary", { hasText: "Forget this duel" }).click();
      await press(page, "Forget it for good");
      await page.locator("summary", { hasText: "Go on with a file" }).click();
      await page.getByLabel("The file of a duel").fill(ada.file());
      await ask(page, "Go on with it");
      await stands(page, "round 2: it is your move");
      await type(page, "P S C2");
      ben.read(await toSend(page));
      assert.match(ben.show(), /last: south P M1 A2 12; north P S A2/);
    }));

  it("is joined from a link, is one of several, and goes on after the page was closed", () =>
    open(async (page) => {
      await challenge(page, "boundary", "south", "Ada");
      await press(page, "Copy it as a link");
      await page.getByText(/The link is copied|Copy the link/).waitFor();
      const link = await toSend(page);
      await page.locator("summary", { hasText: "Challenge a friend" }).click();
      await challenge(page, "laser-chess", "blue", "Ada");
      assert.equal(await page.getByLabel("Duels kept in this browser").locator("li").count(), 2);
      await open(async (other) => {
        await other.evaluate((hash) => (location.hash = hash), link.split("#")[1]);
        await other.getByText("Ada asks you to play north in Boundary.").waitFor();
        assert.match(other.url(), /#key=[\w-]{43}$/);
        await other.locator(".answer").getByLabel("Your name").fill("Ben");
        await ask(other, "Accept the challenge");
        await stands(other, "you play north");
        const owed = (await standing(other)).some((line) => line.includes("it is your move"));
        if (owed) await type(other, "P f1-f2");
        await paste(page, await toSend(other));
        await stands(page, "Boundary");
      });
      await page.reload();
      await ready(page);
      await tab(page, "Duel");
      await page.getByRole("button", { name: /Boundary with Ben/ }).click();
      await stands(page, "Boundary");
      assert.equal(await page.getByLabel("Duels kept in this browser").locator("li").count(), 2);
    }));

  it("tells with a code what cannot be read or done", () =>
    open(async (page) => {
      const answer = () => page.locator("#room-duel .answer").innerText();
      await paste(page, "Shall we play?");
      assert.match(await answer(), /^no-opening: /);
      await challenge(page, "beams", "south", "Ada");
      await paste(page, "P S A2");
      assert.match(await answer(), /^no-message: /);
      await page.locator("summary", { hasText: "Go on with a file" }).click();
      await page.getByLabel("The file of a duel").fill("game: beams");
      await ask(page, "Go on with it");
      await page.getByText("duel-file: this is not the file of a duel").waitFor();
    }));

  it("is ended by an agreement, or by a resignation that is asked for twice", () =>
    open(async (page) => {
      await challenge(page, "beams", "south", "Ada");
      const ben = friendOf();
      ben.join(await toSend(page));
      ben.play("P S A2", "offer draw");
      await paste(page, ben.again());
      await stands(page, "north has offered a draw");
      await page.locator("summary", { hasText: "Resign" }).click();
      await page.getByRole("button", { name: "Yes, I resign" }).waitFor();
      await press(page, "Accept the draw");
      await stands(page, "over: no winner (agreement)");
      assert.match(ben.read(await toSend(page)), /over: no winner \(agreement\)/);
    }));
});

describe("what is wrong", () => {
  it("is named as by the command, and changes nothing", () =>
    open(async (page) => {
      for (const { state, text, code, told } of prepared("cheats")) {
        await page.locator("summary", { hasText: "Go on with a file" }).click();
        await page.getByLabel("The file of a duel").fill(state);
        await ask(page, "Go on with it");
        const before = await standing(page);
        const found = await paste(page, text);
        const plain = found.map((line) => line.replace(/^Cheat, /, "").replace(/\. It changes nothing.*$/, ""));
        assert.deepEqual(plain, told, code);
        const kept = (await standing(page)).filter((line) => !line.startsWith("kept as a proof"));
        assert.deepEqual(kept, before.filter((line) => !line.startsWith("kept as a proof")));
        await page.locator("summary", { hasText: "Forget this duel" }).click();
        await press(page, "Forget it for good");
      }
      await page.getByLabel("Duels kept in this browser").locator("li").waitFor({ state: "detached" });
    }));
});

describe("on a phone", () => {
  it("a whole game is played by touch", () =>
    open(async (page) => {
      const { game, sides, moves, ways } = prepared("touched");
      const [mine, theirs] = sides;
      const ben = friendOf();
      await page.getByLabel("The game of the duel").selectOption(game);
      await page.getByLabel("You play", { exact: true }).selectOption(mine);
      await page.getByRole("button", { name: "Open the duel" }).tap();
      await answered(page);
      await page.locator(".duelled svg.scene").waitFor();
      ben.join(await toSend(page));
      const said = () => page.evaluate(() => document.querySelector(".duelled .sentence").parentElement.innerText);
      const choice = (target) => buttonOf(page.locator(".duelled"), target);
      for (;;) {
        if (ben.owes()) ben.play(moves[theirs].shift());
        await page.getByLabel("A message from your friend").fill(ben.again());
        await page.getByRole("button", { name: "Read it" }).tap();
        await answered(page);
        if ((await standing(page)).some((line) => line.startsWith("over"))) break;
        for (const target of ways[mine].shift()) {
          const before = await said();
          await choice(target).tap();
          assert.notEqual(await said(), before);
        }
        await confirm(page, (button) => button.tap());
        ben.read(await toSend(page));
        if ((await standing(page)).some((line) => line.startsWith("over"))) break;
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
      }
      assert.match(ben.show(), /over: /);
    }, TOUCH));

  it("what can be touched is large enough in every tab", () =>
    open(async (page) => {
      await challenge(page, "beams", "south", "Ada");
      for (const room of ["Start", "Check", "Audit", "Board", "Duel", "Seal", "About"]) {
        await page.getByRole("tab", { name: room }).tap();
        await page.evaluate(() => {
          for (const one of document.querySelectorAll("details")) one.open = true;
        });
        const small = await page.evaluate((least) => {
          const touched = "button, select, textarea, summary, input:not([type=checkbox]), .switch";
          return [...document.querySelectorAll(touched)]
            .filter((one) => one.checkVisibility() && !one.closest("[role=grid]"))
            .map((one) => [one.outerHTML.slice(0, 100), one.getBoundingClientRect()])
            .filter(([, { width, height }]) => width < least || height < least)
            .map(([html, { width, height }]) => `${html} ${width} x ${height}`);
        }, SMALLEST);
        assert.deepEqual(small, []);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
      }
    }, TOUCH));
});

describe("the tab", () => {
  it("can be used by all, on a desk and on a phone, by day and by night", () =>
    open(async (page) => {
      await accessibleToAll(page);
      await challenge(page, "beams", "south", "Ada");
      await accessibleToAll(page);
      await type(page, "P M1 A2 12");
      await accessibleToAll(page);
      const cheat = prepared("cheats").find(({ code }) => code === "fork");
      await page.locator("summary", { hasText: "Go on with a file" }).click();
      await page.getByLabel("The file of a duel").fill(cheat.state);
      await ask(page, "Go on with it");
      await page.getByRole("button", { name: /^Go on: .* with Ben/ }).waitFor();
      await paste(page, cheat.text);
      assert.equal(await page.locator(".remarks .cheat").count(), 1);
      await accessibleToAll(page, async (way) => {
        const path = join(process.env.SHOTS ?? "", `${way}.png`);
        if (process.env.SHOTS) await page.screenshot({ path, fullPage: true });
      });
    }));
});
