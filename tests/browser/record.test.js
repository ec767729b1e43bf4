// What a reader does with an HTML record. RECORDS is the folder of records that test_record.py has made.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { accessibleToAll, launch, visit } from "./pages.js";

const RECORDS = process.env.RECORDS;
const ALL = readdirSync(RECORDS).filter((name) => name.endsWith(".html")).map((name) => name.slice(0, -5));
const ONE_OF_EACH = [
  "beams-resignation",
  "boundary-trees",
  "hostile",
  "laser-chess-ace",
  "the-beam-running",
  "varied",
];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const read = (name, act, options) => visit(browser, RECORDS, name, act, options);

const told = (page) => page.locator("figcaption").innerText();
const shapes = (page) =>
  page.$$eval("svg.board > *", (children) =>
    children.filter((child) => child.localName !== "style").map((child) => child.outerHTML).join("\n"),
  );
/** Waits until the page stands at a ply, and finds that each of its parts says so. */
const isAt = async (page, ply, of = 34) => {
  await page.locator(`a[aria-current=step][data-ply="${ply}"]`).waitFor({ state: "attached" });
  const caption = await told(page);
  assert.match(caption, ply ? new RegExp(`^After ply ${ply} of ${of} `) : /^Before the first of/);
  assert.equal(await page.locator("input[type=range]").inputValue(), String(ply));
  assert.equal(await page.locator("article:visible").getAttribute("data-ply"), String(ply));
  assert.equal(await page.locator("a[aria-current=step]").getAttribute("data-ply"), String(ply));
};

describe("stepping through a game", () => {
  it("starts at the last ply", () => read("beams-beginners", (page) => isAt(page, 34)));

  it("starts at the ply of its address", () => read("beams-beginners", (page) => isAt(page, 7), { hash: "#ply-7" }));

  it("goes by buttons, and stops at both ends", () =>
    read("beams-beginners", async (page) => {
      const steps = { Back: 33, Next: 34, First: 0 };
      for (const [name, ply] of Object.entries(steps)) {
        await page.getByRole("button", { name, exact: true }).click();
        await isAt(page, ply);
      }
      await page.keyboard.press("ArrowLeft");
      await isAt(page, 0);
      await page.getByRole("button", { name: "Last", exact: true }).click();
      await page.keyboard.press("ArrowRight");
      await isAt(page, 34);
    }));

  it("goes by keys", () =>
    read("beams-beginners", async (page) => {
      for (const [key, ply] of [["ArrowLeft", 33], ["ArrowLeft", 32], ["ArrowRight", 33], ["Home", 0], ["End", 34]]) {
        await page.keyboard.press(key);
        await isAt(page, ply);
      }
    }));

  it("goes by the slider, with its own keys and by hand", () =>
    read("beams-beginners", async (page) => {
      const slider = page.getByRole("slider", { name: "Ply" });
      await slider.press("ArrowLeft");
      await isAt(page, 33);
      await slider.press("Home");
      await isAt(page, 0);
      const { x, y, width, height } = await slider.boundingBox();
      await page.mouse.click(x + width / 2, y + height / 2);
      await isAt(page, 17);
      assert.equal(await slider.getAttribute("aria-valuetext"), "17 of 34");
    }));

  it("goes along variations, and back to the game", () =>
    read("varied", async (page) => {
      const at = async (step, caption) => {
        await page.locator(`a[aria-current=step][data-ply="${step}"]`).waitFor();
        assert.match(await told(page), caption);
        assert.equal(await page.locator("article:visible").getAttribute("data-ply"), String(step));
      };
      await page.locator("a.ply", { hasText: "P f1-e1" }).click();
      await at(4, /^In a variation, after ply 2 .*P f1-e1 !\?/);
      await page.keyboard.press("ArrowRight");
      await at(5, /^In a variation, after ply 3 /);
      await page.keyboard.press("ArrowRight");
      await at(5, /^In a variation, after ply 3 /);
      await page.locator("a.ply", { hasText: "P b2-c2" }).click();
      await at(6, /P b2-c2/);
      await page.keyboard.press("ArrowLeft");
      await at(4, /P f1-e1/);
      await page.keyboard.press("ArrowRight");
      await at(5, /P b2-b1/);
      await page.keyboard.press("ArrowDown");
      await at(6, /P b2-c2/);
      await page.keyboard.press("ArrowUp");
      await at(5, /P b2-b1/);
      for (const ply of [4, 1, 2, 3]) {
        await page.keyboard.press(ply === 4 || ply === 1 ? "ArrowLeft" : "ArrowRight");
        await at(ply, ply === 4 ? /P f1-e1/ : new RegExp(`^After ply ${ply} of 3 `));
      }
    }));

  it("goes by clicks in the move list, and back again", () =>
    read("beams-beginners", async (page) => {
      await page.locator("a.ply", { hasText: "P M2Y C6 10" }).click();
      await isAt(page, 3);
      await page.locator("a.ply", { hasText: "P S C8" }).click();
      await isAt(page, 8);
      await page.goBack();
      await isAt(page, 3);
    }));

  it("keeps the current move in sight of the list", () =>
    read("laser-chess-grail", async (page) => {
      for (const key of ["Home", "End"]) {
        await page.keyboard.press(key);
        const seen = await page.$eval("a[aria-current]", (link) => {
          const [inner, outer] = [link, link.closest(".list")].map((one) => one.getBoundingClientRect());
          return inner.top >= outer.top && inner.bottom <= outer.bottom;
        });
        assert.ok(seen, key);
      }
    }));

  it("marks the ply on the chart", () =>
    read("beams-beginners", async (page) => {
      const place = () => page.$eval("svg.chart .now", (line) => line.getBoundingClientRect().x);
      const late = await place();
      await page.keyboard.press("Home");
      assert.ok((await place()) < late - 100);
    }));
});

describe("the board", () => {
  for (const name of ALL) {
    it(`grows in ${name} as it stands there without script`, () =>
      read(name, async (page) => {
        const grown = await shapes(page);
        await page.keyboard.press("Home");
        await page.keyboard.press("End");
        assert.equal(await shapes(page), grown);
        await read(name, async (plain) => assert.equal(await shapes(plain), grown), { javaScriptEnabled: false });
      }));
  }

  it("is seen from both sides", () =>
    read("beams-beginners", async (page) => {
      const first = await shapes(page);
      await page.getByRole("radio", { name: "north" }).check();
      assert.notEqual(await shapes(page), first);
      await page.getByRole("radio", { name: "south" }).check();
      assert.equal(await shapes(page), first);
      await isAt(page, 34);
    }));

  it("has no choice of views where all see the same", () =>
    read("the-beam-class-4b", async (page) => assert.equal(await page.getByRole("radio").count(), 0)));

  for (const javaScriptEnabled of [true, false]) {
    it(`has rays that can be switched off ${javaScriptEnabled ? "with" : "without"} script`, () =>
      read(
        "beams-beginners",
        async (page) => {
          const rays = page.locator("svg .rays");
          assert.ok(await rays.isVisible());
          await page.getByRole("checkbox", { name: "Coloured rays of the board" }).uncheck();
          assert.ok(await rays.isHidden());
        },
        { javaScriptEnabled },
      ));
  }

  it("draws beams as wide as their power, although style attributes need a hash", () =>
    read("beams-beginners", async (page) => {
      const widths = () => page.$$eval(".beam polyline", (lines) => lines.map((one) => getComputedStyle(one).strokeWidth));
      assert.ok(new Set(await widths()).size > 1);
      await page.keyboard.press("ArrowLeft");
      assert.ok(new Set(await widths()).size > 1);
    }));
});

describe("what players write", () => {
  it("stays text", () =>
    read("hostile", async (page) => {
      await page.keyboard.press("ArrowLeft");
      assert.match(await page.locator("h1").innerText(), /<script>alert\(1\)<\/script>/);
      assert.match(await page.locator("article:visible").innerText(), /onload=alert\(1\)/);
      assert.equal(await page.locator("script").count(), 2);
    }));

  it("is downloaded and copied as it is", () =>
    read(
      "beams-resignation",
      async (page) => {
        const text = await page.locator("textarea").inputValue();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "Download" }).click(),
        ]);
        assert.equal(download.suggestedFilename(), "facing-3.yaml");
        assert.equal(readFileSync(await download.path(), "utf8"), text);
        await page.getByRole("button", { name: "Copy" }).click();
        await page.getByText("Copied.").waitFor();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    ));
});

describe("every reader", () => {
  for (const name of ONE_OF_EACH) {
    it(`can use ${name}, on a desk and on a phone, by day and by night`, () => read(name, (page) => accessibleToAll(page)));
  }

  it("sees the current ply and what cannot be pressed where the system sets the colours", () =>
    read(
      "beams-beginners",
      async (page) => {
        const look = (selector, name) => page.$eval(selector, (one, what) => getComputedStyle(one)[what], name);
        assert.equal(await look("a.ply[aria-current]", "outlineStyle"), "solid");
        assert.equal(await look("a.ply:not([aria-current])", "outlineStyle"), "none");
        assert.notEqual(await look("[data-to=next]", "color"), await look("[data-to=back]", "color"));
        await page.keyboard.press("Home");
        assert.equal(await look("a.ply[aria-current]", "outlineStyle"), "solid");
        assert.notEqual(await look("[data-to=next]", "color"), await look("[data-to=back]", "color"));
      },
      { forcedColors: "active" },
    ));

  it("sees where the keyboard is", () =>
    read("beams-beginners", async (page) => {
      await page.keyboard.press("Tab");
      const outlined = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
      assert.equal(outlined, "solid");
    }));

  it("has board, result and moves without script", () =>
    read(
      "beams-beginners",
      async (page) => {
        assert.ok(await page.locator("svg.board").isVisible());
        assert.match(await page.locator(".result").innerText(), /south 6, north 4/);
        assert.ok(await page.locator(".list").getByText("P M2V B9 10").isVisible());
        assert.equal(await page.getByRole("button").count(), 0);
        assert.equal(await page.getByRole("slider").count(), 0);
      },
      { javaScriptEnabled: false },
    ));

  it("has board, result and moves on one sheet of paper, in dark ink on white", () =>
    read(
      "beams-beginners",
      async (page) => {
        const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g);
        assert.equal(sheets.length, 1);
        await page.emulateMedia({ media: "print" });
        assert.ok(await page.locator(".controls").isHidden());
        assert.ok(await page.locator(".list").getByText("P M2V B9 10").isVisible());
        const [paper, ink] = await page.$eval("body", (body) => {
          const { backgroundColor, color } = getComputedStyle(body);
          return [backgroundColor, color];
        });
        assert.equal(paper, "rgb(255, 255, 255)");
        assert.equal(ink, "rgb(27, 27, 27)");
        const cell = await page.$eval(".cell-south", (one) => getComputedStyle(one).fill);
        assert.equal(cell, "rgb(247, 249, 252)");
      },
      { colorScheme: "dark" },
    ));
});
