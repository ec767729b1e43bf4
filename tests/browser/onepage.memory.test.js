// What the one page keeps in a browser: locked, with the key in its address. RECORDS is the folder that
// test_onepage_memory.py has made.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { drawnKey, keyIn } from "../../referee/web/onepage/page/address.js";
import { memoryOf } from "../../referee/web/onepage/page/memory.js";
import { DESK, PHONE, accessible, launch, visit } from "./pages.js";

const PAGES = process.env.RECORDS;
const READY = 120_000;
const SOON = 450;
const NESTED = { Audit: "The log of a game", Check: "A game file, an archive", Duel: "The file of a duel" };
const VERBS = { Audit: "Audit", Check: "Judge", Duel: "Go on with it" };
const ROOMS = ["Start", "Learn", "Check", "Audit", "Board", "Engine", "Duel", "Seal", "About"];

const SEAL = { game: "spring-7", ply: 3, side: "south", seal: "seal 00", reveal: "reveal P M1 A2 12 ff" };
const GAME = { number: 7, name: "Boundary", plies: 2, file: "game: boundary\n", secret: null };
const DUEL = { id: "duel-0", seat: 0, opener: "a", title: "Beams", side: "south", other: "Ben", over: false, sent: 1, state: "{}" };
const PRACTICE = { number: 8, title: "Boundary", plies: 0, kept: { file: "game: boundary\n" } };
const SOUND = { games: GAME, duels: DUEL, seals: SEAL, practices: PRACTICE };
const WRONG = ["not json", "", "5", '"text"', "null", "{}", '{"a":1}', "[null]", "[[]]", "[5]", "[{}]", '[{"number":"1"}]'];

/** A storage as browsers have it, with room for so many characters. */
class Storage {
  constructor(content = {}, most = Infinity) {
    Object.assign(this, { content: new Map(Object.entries(content)), most });
  }
  get length() {
    return this.content.size;
  }
  key(place) {
    return [...this.content.keys()][place];
  }
  getItem(name) {
    return this.content.get(name) ?? null;
  }
  setItem(name, text) {
    const size = [...this.content].reduce((sum, [other, one]) => sum + (other === name ? 0 : one.length), text.length);
    if (size > this.most) throw new Error("full");
    this.content.set(name, text);
  }
  removeItem(name) {
    this.content.delete(name);
  }
  all() {
    return JSON.stringify([...this.content]);
  }
}

const put = (memory, name, item) => memory.change(name, (items) => [item, ...items]);

describe("what is kept", () => {
  it("is locked, and opened by its key alone; what another key locks stays as it is", async () => {
    const storage = new Storage();
    const [mine, other] = [drawnKey(), drawnKey()];
    for (const [name, item] of Object.entries(SOUND)) assert.equal(await put(memoryOf(() => storage, mine), name, item), true);
    assert.doesNotMatch(storage.all(), /spring-7|reveal|Boundary|P M1/);
    const before = storage.all();
    const stranger = memoryOf(() => storage, other);
    assert.deepEqual(await stranger.recall("seals"), []);
    assert.deepEqual(await stranger.state(), { own: 0, others: 4, aside: 0, keeps: true });
    assert.equal(storage.all(), before);
    await put(stranger, "seals", { ...SEAL, ply: 4 });
    for (const [name, item] of Object.entries(SOUND)) assert.deepEqual(await memoryOf(() => storage, mine).recall(name), [item]);
    assert.equal((await memoryOf(() => storage, other).recall("seals"))[0].ply, 4);
  });

  it("was plain text in earlier versions: that is taken over once and replaced", async () => {
    const plain = Object.fromEntries(Object.entries(SOUND).map(([name, item]) => [`referee page ${name}`, JSON.stringify([item])]));
    const storage = new Storage({ ...plain, other: "stays" });
    const key = drawnKey();
    for (let time = 0; time < 2; time += 1) {
      const memory = memoryOf(() => storage, key);
      for (const [name, item] of Object.entries(SOUND)) assert.deepEqual(await memory.recall(name), [item]);
      assert.doesNotMatch(storage.all(), /spring-7|reveal|Boundary|P M1/);
      assert.equal(storage.getItem("other"), "stays");
      assert.equal(storage.length, 5);
    }
  });

  it("is set aside where it was plain text of another form, without what holds", async () => {
    for (const name of Object.keys(SOUND)) {
      for (const text of [...WRONG, JSON.stringify([SOUND[name], null])]) {
        const storage = new Storage({ [`referee page ${name}`]: text });
        const memory = memoryOf(() => storage, drawnKey());
        assert.deepEqual(await memory.recall(name), text.length > 50 ? [SOUND[name]] : [], text);
        assert.equal((await memory.state()).aside, 1, text);
        assert.deepEqual((await memory.everything()).aside, [{ name, text }]);
        assert.equal(storage.getItem(`referee page ${name}`), null);
        assert.equal(await put(memory, name, SOUND[name]), true);
        await memory.forgetAside();
        assert.equal((await memory.state()).aside, 0);
      }
    }
  });

  it("is set aside where it was changed or put in another place, and nothing else is lost", async () => {
    const key = drawnKey();
    const changes = {
      cut: (text) => text.slice(0, -4),
      changed: (text) => (text[0] === "A" ? "B" : "A") + text.slice(1),
      garbage: () => "[]",
    };
    for (const change of Object.values(changes)) {
      const storage = new Storage();
      for (const [name, item] of Object.entries(SOUND)) await put(memoryOf(() => storage, key), name, item);
      const place = [...storage.content.keys()].find((one) => one.endsWith(" duels"));
      const broken = change(storage.getItem(place));
      storage.setItem(place, broken);
      const memory = memoryOf(() => storage, key);
      assert.deepEqual(await memory.recall("duels"), []);
      assert.deepEqual((await memory.everything()).aside, [{ name: "duels", text: broken }]);
      assert.deepEqual(await memory.recall("seals"), [SEAL]);
      await put(memory, "duels", DUEL);
      assert.deepEqual(await memoryOf(() => storage, key).recall("duels"), [DUEL]);
    }
    const storage = new Storage();
    await put(memoryOf(() => storage, key), "games", GAME);
    const [place] = storage.content.keys();
    storage.setItem(place.replace("games", "seals"), storage.getItem(place));
    assert.deepEqual(await memoryOf(() => storage, key).recall("seals"), []);
  });

  it("lasts as long as the page where the browser keeps nothing", async () => {
    const forbidden = () => {
      throw new Error("no storage");
    };
    for (const reach of [forbidden, () => new Storage({}, 10)]) {
      const memory = memoryOf(reach, drawnKey());
      assert.equal(await put(memory, "seals", SEAL), false);
      assert.equal(await put(memory, "seals", { ...SEAL, ply: 4 }), false);
      assert.deepEqual((await memory.recall("seals")).map(({ ply }) => ply), [4, 3]);
      assert.equal((await memory.state()).keeps, false);
    }
  });

  it("stays where it is if it cannot be read and there is no room to set it aside", async () => {
    const key = drawnKey();
    const storage = new Storage();
    await put(memoryOf(() => storage, key), "duels", DUEL);
    const [place] = storage.content.keys();
    storage.setItem(place, "x".repeat(1000));
    storage.most = 1100;
    const memory = memoryOf(() => storage, key);
    assert.equal(await put(memory, "duels", DUEL), false);
    assert.equal(await put(memory, "duels", { ...DUEL, id: "duel-1" }), false);
    assert.deepEqual((await memory.recall("duels")).map(({ id }) => id), ["duel-1", "duel-0"]);
    assert.equal(storage.getItem(place), "x".repeat(1000));
  });

  it("is changed by two tabs without a loss, and not if one of them refuses", async () => {
    const storage = new Storage();
    const key = drawnKey();
    const [one, other] = [memoryOf(() => storage, key), memoryOf(() => storage, key)];
    await Promise.all(Array.from({ length: 20 }, (_, ply) => put(ply % 2 ? one : other, "seals", { ...SEAL, ply })));
    assert.equal((await one.recall("seals")).length, 20);
    const refused = one.change("seals", () => {
      throw new Error("refused");
    });
    await assert.rejects(refused, /refused/);
    assert.equal((await other.recall("seals")).length, 20);
    assert.equal(await put(one, "seals", { ...SEAL, ply: 21 }), true);
  });

  it("calls back after each change", async () => {
    const storage = new Storage();
    const told = [];
    const memory = memoryOf(() => storage, drawnKey(), async () => told.push((await memory.state()).own));
    await put(memory, "seals", SEAL);
    await put(memory, "games", GAME);
    await memory.state();
    assert.equal(told.at(-1), 2);
  });

  it("has a key that an address can hold", () => {
    const key = drawnKey();
    assert.equal(keyIn(`#key=${key}`), key);
    for (const hash of ["", "#game=abc", `#key=${key}x`, `#key=${key.slice(1)}`, "#key="]) assert.equal(keyIn(hash), undefined);
  });
});

// A page in a new process may not yet find what the one before it has stored.
const SAME_PROCESS = "--disable-features=RenderDocument,ProactivelySwapBrowsingInstance,BackForwardCache";

let browser;
before(async () => {
  browser = await launch(SAME_PROCESS);
});
after(() => browser.close());

const tab = (page, name) => page.getByRole("tab", { name }).click();
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: READY });
const saved = async (page, name) => {
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
  return readFileSync(await download.path(), "utf8");
};

/** Opens the page offline, with texts in the storage as another file may have put them there. */
const open = (act, { planted = {}, ...options } = {}) =>
  visit(
    browser,
    PAGES,
    "other",
    async (page) => {
      // Chromium may load a page before it has passed on what another page stored, so they are put in as it loads.
      await page.addInitScript((all) => {
        if (location.pathname.endsWith("/referee.html") && !localStorage.length) Object.assign(localStorage, all);
      }, planted);
      const address = page.url().replace("other.html", "referee.html");
      // The page is another one than the one that was visited, and asks for nothing but itself.
      page.removeAllListeners("request");
      await page.goto(address);
      await ready(page);
      await act(page, address);
    },
    { offline: true, ...options },
  );

/** What another file finds in the storage once it finds anything: Chromium may be late to pass it on. */
const seenBeside = async (page, beside) => {
  for (let time = 0; ; time += 1) {
    const other = await page.context().newPage();
    await other.goto(beside);
    const text = await other.locator("pre").innerText();
    await other.close();
    if (text !== "{}" || time === 20) return text;
    await page.waitForTimeout(SOON);
  }
};

const seal = async (page, command, move) => {
  await tab(page, "Seal");
  await page.getByLabel("The command of the letter").fill(command);
  await page.getByLabel("Your move").fill(move);
  await press(page, "Seal it");
  await page.locator("#room-seal .answer code").first().waitFor();
  return page.locator("#room-seal .answer code").allInnerTexts();
};

describe("another file that is opened from disk", () => {
  const commands = JSON.parse(readFileSync(join(PAGES, "commands.json"), "utf8"));

  it("reads nothing of a duel or a seal, which are here again with the key, and not without", () =>
    open(async (page, address) => {
      await tab(page, "Duel");
      await page.getByLabel("The game of the duel").selectOption("beams");
      await page.locator("details", { hasText: "Challenge a friend" }).getByLabel("Your name").fill("Ada");
      await press(page, "Open the duel");
      await page.locator(".duelled[aria-busy=false] svg.scene").waitFor();
      const field = page.locator(".duelled").getByLabel("Or type the move");
      await field.fill("P M1 A2 12");
      await field.press("Enter");
      await page.waitForTimeout(SOON);
      await page.locator(".duelled .confirm").click();
      await page.locator(".duelled").getByText("You have no move to make now.").first().waitFor();
      const [, revealed] = await seal(page, commands[0], "P M1 A2 12");
      await page.getByText("Bookmark the page").waitFor();
      await accessible(page, DESK);
      const bookmark = page.url();
      assert.match(bookmark, /#key=[\w-]{43}$/);
      const kept = JSON.parse(await saved(page, "Save what is kept"));
      const { seed, sealed } = JSON.parse(kept.duels[0].state);
      assert.equal(sealed, "P M1 A2 12");
      assert.equal(kept.seals[0].reveal, revealed);

      const beside = address.replace("referee.html", "other.html");
      const seen = await seenBeside(page, beside);
      assert.match(seen, /referee page /);
      for (const secret of [seed, "P M1", revealed.split(" ").at(-1), bookmark.split("=")[1]]) {
        assert.ok(!seen.includes(secret), secret);
      }

      await page.goto(beside);
      await page.goto(address);
      await ready(page);
      await page.getByText("that another key locks").waitFor();
      assert.equal(await page.getByLabel("Duels kept in this browser").locator("li").count(), 0);
      await page.goto(bookmark);
      await ready(page);
      await tab(page, "Duel");
      await page.getByRole("button", { name: /^Go on: Beams/ }).click();
      await page.locator(".duelled[aria-busy=false] svg.scene").waitFor();
      await tab(page, "Seal");
      assert.equal(await page.locator(".seals li").count(), 1);
      assert.equal(await page.getByText("that another key locks").isVisible(), false);
    }));

  it("takes no tab away by what it writes, and the page says what was set aside", async () => {
    const names = Object.keys(SOUND).map((name) => `referee page ${name}`);
    for (let first = 0; first < WRONG.length; first += names.length) {
      const texts = WRONG.slice(first, first + names.length);
      await open(
        async (page) => {
          await page.getByText("It is set aside").waitFor();
          for (const room of ROOMS) await tab(page, room);
          assert.equal(await page.getByRole("tab").count(), ROOMS.length);
          const { aside } = JSON.parse(await saved(page, "Save what is kept"));
          assert.deepEqual(aside.map(({ text }) => text).sort(), texts.toSorted());
          await accessible(page, PHONE);
          await press(page, "Forget what was set aside");
          await page.getByText("It is set aside").waitFor({ state: "hidden" });
        },
        { planted: Object.fromEntries(names.map((name, place) => [name, texts[place]])), viewport: PHONE },
      );
    }
  });

  it("has found plain text of earlier versions, and finds it no more", () =>
    open(
      async (page, address) => {
        await tab(page, "Board");
        await page.getByRole("button", { name: "Go on: Boundary, ply 2" }).waitFor();
        await page.goto(address.replace("referee.html", "other.html"));
        assert.doesNotMatch(await page.locator("pre").innerText(), /Boundary|reveal/);
      },
      { planted: Object.fromEntries(Object.entries(SOUND).map(([name, item]) => [`referee page ${name}`, JSON.stringify([item])])) },
    ));
});

describe("the page", () => {
  it("takes the commands of letters as they are pasted", () =>
    open(
      async (page) => {
        const [plain, sealing, signing] = JSON.parse(readFileSync(join(PAGES, "commands.json"), "utf8"));
        const paste = async (text) => {
          await page.evaluate((said) => navigator.clipboard.writeText(said), text);
          await page.getByLabel("The command of the letter").press("Control+a");
          await page.keyboard.press("Control+v");
        };
        await tab(page, "Seal");
        for (const command of [plain, sealing]) {
          await paste(command);
          assert.equal(await page.getByLabel("The command of the letter").inputValue(), command);
          await page.getByLabel("Your move").fill("P M1 A2 12");
          await press(page, "Seal it");
          await page.getByText("Sealed: P M1 A2 12.").waitFor();
        }
        await paste(`${signing} resign`);
        await press(page, "Sign it");
        await page.getByText("Choose the file of your key first.").waitFor();
        assert.equal(await page.getByLabel("Your move").inputValue(), "resign");
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    ));

  it("refuses what is nested too deeply, and works on", () =>
    open(async (page) => {
      await tab(page, "Duel");
      await page.locator("summary", { hasText: "Go on with a file" }).click();
      for (const text of ["[", '{"a":'].flatMap((one) => [5000, 200_000].map((number) => one.repeat(number)))) {
        for (const [room, label] of Object.entries(NESTED)) {
          await tab(page, room);
          await page.getByLabel(label).fill(text);
          await press(page, VERBS[room]);
          const answer = page.locator(`#room-${room.toLowerCase()} .answer`);
          await answer.getByText(/is not JSON|too-deep|duel-file: /).first().waitFor();
          await page.getByLabel(label).fill("");
        }
      }
      await tab(page, "Check");
      await page.getByLabel(NESTED.Check).fill("game: boundary\n");
      await press(page, "Judge");
      await page.getByText("All is well.").waitFor();
    }));
});
