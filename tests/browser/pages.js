// What the browser's tests have in common: Chromium, and a reader who opens a page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const launch = (...more) =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...ARGUMENTS, ...more] });

/** Opens a page of a folder in a window of its own, and lets a reader act. */
export async function visit(browser, folder, name, act, { hash = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: DESK, ...options });
  try {
    await read(await context.newPage(), folder, name, act, hash);
  } finally {
    await context.close();
  }
}

/** Opens a page of a folder, lets a reader act, and finds that the page stayed silent and fetched nothing. */
export async function read(page, folder, name, act, hash = "") {
  const url = pathToFileURL(join(folder, `${name}.html`)).href;
  const heard = [];
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(String(error)));
  page.on("dialog", (dialog) => heard.push(dialog.message()) && dialog.dismiss());
  page.on("request", (request) => {
    const local = [url, "about:srcdoc"].includes(request.url().split("#")[0]);
    if (!local && !/^(data|blob):/.test(request.url())) heard.push(request.url());
  });
  try {
    await page.goto(url + hash);
    await act(page);
    assert.deepEqual(heard, []);
  } finally {
    await page.removeAllListeners();
  }
}

/** Finds that a page is as wide as the screen, and that axe has nothing to say about it. */
export async function accessible(page, viewport, rules = {}) {
  const fits = () => page.evaluate((width) => document.documentElement.scrollWidth <= width, viewport.width);
  if (!(await fits())) await page.waitForTimeout(500); // frames within it learn a new width later
  assert.ok(await fits());
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate((rules) => globalThis.axe.run({ resultTypes: ["violations"], rules }), rules);
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`), []);
}

/** Finds the same on a desk and on a phone, by day and by night; the page stays as a phone shows it. */
export async function accessibleToAll(page, look = async () => {}) {
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await accessible(page, viewport);
      await look(`${colorScheme}-${viewport.width}`);
    }
  }
}
