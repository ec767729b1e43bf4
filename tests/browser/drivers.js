// One way to drive three browsers: Chromium by Playwright, Firefox by WebDriver BiDi, WebKit by WebDriver.
//
// Each gives a page with `goto(url)`, `reload()`, `evaluate(code)`, which promises a text, `act(sources)`, which are
// WebDriver's actions, `heard()`, which is what the console said, and `close()`.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { launch } from "./pages.js";

const PATIENCE = 120_000;

/** Starts a program, and promises what the first line that fits a pattern says. */
const started = (program, words, pattern, options = {}) => {
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"], ...options });
  const found = new Promise((resolve, reject) => {
    let said = "";
    const hear = (text) => {
      said += text;
      const match = said.match(pattern);
      if (match) resolve(match[1]);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`${program} has ended: ${said}`)));
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  return { found, end: () => child.kill() && ended };
};

const chromium = async () => {
  const browser = await launch();
  const page = await browser.newPage();
  const heard = [];
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(String(error)));
  const KEYS = { "\uE012": "ArrowLeft", "\uE014": "ArrowRight" };
  return {
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    evaluate: (code) => page.evaluate(code),
    async act(sources) {
      for (const { actions } of sources) {
        for (const { type, x, y, value } of actions) {
          if (type === "pointerMove") await page.mouse.move(x, y);
          if (type === "pointerDown") await page.mouse.down();
          if (type === "pointerUp") await page.mouse.up();
          if (type === "keyDown") await page.keyboard.press(KEYS[value]);
        }
      }
    },
    heard: () => heard,
    close: () => browser.close(),
  };
};

const firefox = async () => {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const words = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const program = started(process.env.FIREFOX ?? "firefox-esr", words, /WebDriver BiDi listening on (ws:\S+)/);
  const socket = new WebSocket(`${await program.found}/session`);
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const waiting = new Map();
  const heard = [];
  socket.on("message", (text) => {
    const { id, type, method, params, result, message } = JSON.parse(text);
    if (method === "log.entryAdded") heard.push(params.text);
    waiting.get(id)?.[type === "success" ? 0 : 1](type === "success" ? result : new Error(message));
    waiting.delete(id);
  });
  let number = 0;
  const ask = (method, params = {}) =>
    new Promise((resolve, reject) => {
      number += 1;
      waiting.set(number, [resolve, reject]);
      socket.send(JSON.stringify({ id: number, method, params }));
    });
  await ask("session.new", { capabilities: {} });
  await ask("session.subscribe", { events: ["log.entryAdded"] });
  const [{ context }] = (await ask("browsingContext.getTree")).contexts;
  return {
    goto: (url) => ask("browsingContext.navigate", { context, url, wait: "complete" }),
    reload: () => ask("browsingContext.reload", { context, wait: "complete" }),
    async evaluate(code) {
      const said = await ask("script.evaluate", { expression: code, target: { context }, awaitPromise: true });
      if (said.type !== "success") throw new Error(said.exceptionDetails.text);
      return said.result.value;
    },
    act: (actions) => ask("input.performActions", { context, actions }),
    heard: () => heard,
    async close() {
      await ask("browser.close").catch(() => {});
      socket.terminate();
      await program.end();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

const webkit = async () => {
  const screen = started("Xvfb", ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], /(?:^|\n)(\d+)\n/);
  const env = { ...process.env, DISPLAY: `:${await screen.found}`, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1" };
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], { env, stdio: "ignore" });
  const ask = async (method, path, body) => {
    const sent = body && { body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...sent });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.message}`);
    return value;
  };
  for (let end = Date.now() + PATIENCE; ; ) {
    try {
      await ask("GET", "/status");
      break;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const options = { binary: process.env.MINIBROWSER, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  const { sessionId } = await ask("POST", "/session", { capabilities });
  const at = `/session/${sessionId}`;
  await ask("POST", `${at}/timeouts`, { script: PATIENCE, pageLoad: PATIENCE });
  return {
    goto: (url) => ask("POST", `${at}/url`, { url }),
    reload: () => ask("POST", `${at}/refresh`, {}),
    async evaluate(code) {
      const script = `const done = arguments[0]; (${code}).then((said) => done([said]), (error) => done([null, String(error)]))`;
      const [said, error] = await ask("POST", `${at}/execute/async`, { script, args: [] });
      if (error) throw new Error(error);
      return said;
    },
    act: (actions) => ask("POST", `${at}/actions`, { actions }),
    // WebDriver has no way to read the console.
    heard: () => [],
    async close() {
      await ask("DELETE", at).catch(() => {});
      driver.kill();
      await screen.end();
    },
  };
};

const STARTS = { chromium, firefox, webkit };

/** The text of code that calls a function with some values, and promises its value as JSON. */
const called = (act, values) =>
  `(async () => JSON.stringify((await (${act})(...${JSON.stringify(values)})) ?? null))()`;

/** Where a visible element can be pressed that has a role and a name; null if there is none that can. */
const placeOf = (selector, name) => {
  const named = (one) => [one.getAttribute("aria-label"), one.innerText?.trim(), ...[...(one.labels ?? [])].map((label) => label.innerText.trim())];
  const found = [...document.querySelectorAll(selector)].find(
    (one) => one.checkVisibility() && !one.disabled && one.getAttribute("aria-disabled") !== "true" && (name === null || named(one).some((said) => said?.startsWith(name))),
  );
  if (!found) return null;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = found.getBoundingClientRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  const there = document.elementFromPoint(x, y);
  return there && (found.contains(there) || there.contains(found)) ? { x, y } : null;
};

const PRESSED = "button, [role=tab], a, summary, label, input";
const FIELDS = "input, textarea, select";

/** A reader of the browser of a name. */
export const readerIn = async (name) => {
  const page = await STARTS[name]();
  const evaluate = async (act, ...values) => JSON.parse(await page.evaluate(called(act, values)));
  const until = async (act, ...values) => {
    for (let end = Date.now() + PATIENCE; ; ) {
      const found = await evaluate(act, ...values);
      if (found) return found;
      if (Date.now() > end) throw new Error(`it did not come: ${act} ${values}\n${await evaluate(() => document.body.innerText)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const click = async (selector, text) => {
    const { x, y } = await until(placeOf, selector, text);
    const actions = [{ type: "pointerMove", x, y, duration: 0 }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
    await page.act([{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }]);
  };
  return {
    ...page,
    evaluate,
    until,
    click,
    /** Presses what has a name that begins like this. */
    press: (text) => click(PRESSED, text),
    /** Writes a text into the field with a label, as if it were pasted. */
    async fill(label, text) {
      await click(FIELDS, label);
      await evaluate((said) => {
        document.activeElement.select();
        document.execCommand("insertText", false, said);
      }, text);
    },
    choose: (label, value) =>
      until(
        (name, wanted) => {
          const field = [...document.querySelectorAll("select")].find((one) => [...one.labels].some(({ textContent }) => textContent.trim() === name));
          if (![...(field?.options ?? [])].some((one) => one.value === wanted)) return false;
          field.value = wanted;
          field.dispatchEvent(new Event("change"));
          return true;
        },
        label,
        value,
      ),
    key: (value) => page.act([{ type: "key", id: "keys", actions: [{ type: "keyDown", value }, { type: "keyUp", value }] }]),
    /** Waits for a text that can be seen. */
    sees: (text) => until((said) => document.body.innerText.includes(said), text),
  };
};
