// What tests of players' pages share: RECORDS is the folder in which test_seated.py tells the desk's address, and in
// which it puts each letter that the desk sends, by the side that gets it and in their order.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SOON } from "./hands.js";

export const FOLDER = process.env.RECORDS;
export const { url, pages, game, sides, moves } = JSON.parse(readFileSync(join(FOLDER, "seated.json"), "utf8"));

/** Promises something as soon as it is there. */
export const awaited = async (find) => {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("it did not come");
};

/** The newest of what is in a side's letters. */
export const inLetters = (side, pattern) => {
  const file = join(FOLDER, `${side}.txt`);
  return existsSync(file) ? [...readFileSync(file, "utf8").matchAll(pattern)].at(-1) : undefined;
};

export const linkOf = (side, turn) =>
  awaited(() => inLetters(side, new RegExp(`${pages}(/g/\\S+#${side}-${turn}-[a-z2-7]{16})`, "g"))?.[1]);
export const shot = (page, name) => page.screenshot({ path: join(FOLDER, `${game}-${name}.png`), fullPage: true });

/** Types a move, so that it can be sent: a second touch sends only a while after the first. */
export const type = async (page, text) => {
  const field = page.getByLabel("Or type the move");
  await page.locator(".confirm").waitFor({ state: "attached" });
  if (await page.locator(".confirm").isVisible()) await page.getByRole("button", { name: "Change" }).click();
  if (!(await field.isVisible())) await page.getByText("Type the move").click();
  await field.fill(text);
  await page.getByRole("button", { name: "Check" }).click();
  await page.locator("#turn .sentence:focus").waitFor();
  await page.waitForTimeout(SOON);
};

/** Types a move and sends it. */
export const choose = async (page, text) => {
  await type(page, text);
  await page.locator("#turn .confirm").click();
};

/** Types the code of the newest letter of a side, which is not the one before. */
export const pair = async (page, side, before) => {
  const letter = await awaited(() => {
    const found = inLetters(side, /Code: (\d{4} \d{4})/g);
    return found?.index === before ? null : found;
  });
  await page.getByLabel("The code in the letter").pressSequentially(letter[1]);
};
