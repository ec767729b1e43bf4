// The main ways through the pages, in the browser that BROWSER names. RECORDS is the folder that test_ways.py has made.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { readerIn } from "./drivers.js";
import { SOON } from "./hands.js";
import { FOLDER, awaited, inLetters, linkOf, moves, url } from "./seats.js";

const LEFT = "\uE012";
const RIGHT = "\uE014";
const commands = JSON.parse(readFileSync(join(FOLDER, "commands.json"), "utf8"));
const fileOf = (name) => pathToFileURL(join(FOLDER, `${name}.html`)).href;
const soon = () => new Promise((resolve) => setTimeout(resolve, SOON));

let reader;
before(async () => {
  reader = await readerIn(process.env.BROWSER);
});
after(() => reader?.close());

describe(`in ${process.env.BROWSER}`, () => {
  it("a record is read step by step", async () => {
    await reader.goto(fileOf("record"));
    await reader.sees("After ply 8 of 8");
    await reader.key(LEFT);
    await reader.sees("After ply 7 of 8");
    await reader.press("First");
    await reader.sees("Before the first of 8");
    await reader.key(RIGHT);
    await reader.sees("After ply 1 of 8");
    assert.ok(await reader.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });

  it("a move is chosen on the board", async () => {
    await reader.goto(fileOf("composer"));
    for (let step = 0; step < 8; step += 1) {
      if (await reader.evaluate(() => Boolean(document.querySelector(".sentence").innerText))) break;
      await reader.click("[role=grid] button, .list button", null);
    }
    await soon();
    await reader.click(".confirm", null);
    await reader.until(() => document.querySelector("output")?.innerText);
  });

  it("a browser is paired, and submits a move", async () => {
    const [[side, move]] = Object.entries(moves[0]);
    await reader.goto(url + (await linkOf(side, 1)));
    await reader.press("Type the move");
    await reader.fill("Or type the move", move);
    await reader.press("Check");
    await reader.until(() => document.activeElement.matches("#turn .sentence"));
    await soon();
    await reader.press("Send move");
    const [, code] = await awaited(() => inLetters(side, /Code: (\d{4} \d{4})/g));
    await reader.fill("The code in the letter", code);
    await awaited(() => inLetters(Object.keys(moves[1])[0], /#\w+-2-/g));
    await reader.sees("Waiting for");
  });

  it("the referee in one page starts from disk, judges, seals, plays a duel, and keeps it all", async () => {
    const before = reader.heard().length;
    await reader.goto(fileOf("referee"));
    const ready = () => reader.until(() => document.documentElement.dataset.ready);
    await ready();
    await reader.press("Choose a file, or paste");
    await reader.fill("A game file, an archive or a move list", "game: boundary\nmoves: |\n  1. P a1-a2\n");
    await reader.press("Judge");
    await reader.sees("All is well.");
    await reader.press("Seal");
    for (const command of commands) {
      await reader.fill("The command of the letter", command);
      await reader.fill("Your move", "P M1 A2 12");
      await reader.press(command.startsWith("referee seal") ? "Seal it" : "Sign it");
      await reader.until(() => /Sealed: P M1|Choose the file of your key/.test(document.querySelector("#room-seal .answer").innerText));
    }
    await reader.press("Duel");
    await reader.choose("The game of the duel", "boundary");
    await reader.fill("Your name", "Ada");
    await reader.press("Open the duel");
    await reader.sees("Send this to your friend");
    await reader.fill("Or type the move", "P a1-a2");
    await reader.click(".duelled button", "Check");
    await soon();
    await reader.press("Confirm this move");
    await reader.sees("last: south P a1-a2");
    await reader.sees("Bookmark the page");
    assert.match(await reader.evaluate(() => location.hash), /^#key=/);
    assert.doesNotMatch(await reader.evaluate(() => JSON.stringify({ ...localStorage })), /P a1-a2|P M1|spring-7/);
    await reader.reload();
    await ready();
    await reader.press("Seal");
    await reader.until(() => document.querySelectorAll(".seals li").length === 2);
    await reader.press("Duel");
    await reader.press("Go on: Boundary");
    await reader.sees("you play south");
    assert.deepEqual(reader.heard().slice(before), []);
  });
});
