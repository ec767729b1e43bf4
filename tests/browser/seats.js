// What tests of players' pages share: RECORDS is the folder in which test_seated.py tells the desk's address, and in
// which it puts each letter that the desk sends, by the side that gets it and in their order.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
export { choose, type } from "./hands.js";

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

/** Where the newest code for a side is, to tell the next one from it. */
export const codeOf = (side) => inLetters(side, /Code: (\d{4} \d{4})/g)?.index;

/** Has a move sealed in the browser. */
export const seals = async (page) => {
  const box = page.getByLabel("Seal my move in this browser");
  if (!(await box.isVisible())) await page.getByText("Hide it from the host, too").click();
  await box.check();
};

/** Types the code of the newest letter of a side, which is not the one before; the last digit sends it. */
export const pair = async (page, side, before) => {
  const letter = await awaited(() => (codeOf(side) === before ? null : inLetters(side, /Code: (\d{4} \d{4})/g)));
  await page.getByLabel("The code in the letter").pressSequentially(letter[1]);
};
