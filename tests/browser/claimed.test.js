// A player whose opponent's time is over claims the game on the page.

import { after, before, it } from "node:test";
import { DESK, accessible, launch } from "./pages.js";
import { awaited, codeOf, inLetters, shot, sides, url } from "./seats.js";

const [, second] = sides;
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

it("claims the game", async () => {
  const page = await (await browser.newContext({ viewport: DESK })).newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`${url}/me`);
  await page.getByLabel("Your e-mail address").fill(`${second}@players.example`);
  await page.keyboard.press("Enter");
  await awaited(() => codeOf(second) !== undefined);
  await page.getByLabel("The code in the letter").fill(inLetters(second, /Code: (\d{4} \d{4})/g)[1]);
  await page.keyboard.press("Enter");
  await page.getByText("You are signed in.").waitFor();
  await page.goto(`${url}/g/spring-7`);
  await page.getByText("A late move still counts until you claim.").waitFor();
  await accessible(page, DESK);
  await page.getByRole("button", { name: "Claim the game" }).click();
  await page.locator("#turn h2:visible", { hasText: "You won" }).waitFor();
  await accessible(page, DESK);
  await shot(page, "claimed");
});
