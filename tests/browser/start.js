// Measures how the referee in one page starts, beside bare Pyodide from a server on this machine:
//     node start.js PAGE PYODIDE GAME TIMES
// Prints JSON: the milliseconds of each start and of judging the game file, and the memory of the page in bytes.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./pages.js";

const [page, pyodide, game, times] = process.argv.slice(2);
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const WORKER = `import { loadPyodide } from "/pyodide.mjs";
  postMessage((await loadPyodide()).runPython("1 + 1"));`;
const BARE = `<!doctype html><title>Bare</title><script>
  new Worker("/worker.js", { type: "module" }).onmessage = () => { document.documentElement.dataset.ready = Math.round(performance.now()); };
</script>`;

const served = { "/favicon.ico": ["", "text/plain"], "/": [BARE, "text/html"], "/worker.js": [WORKER, "text/javascript"] };
const server = createServer(({ url }, response) => {
  const [content, type] = served[url] ?? [readFileSync(join(pyodide, url)), TYPES[extname(url)] ?? "application/zip"];
  response.writeHead(200, { "content-type": type }).end(content);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

/** Opens an address in a browser of its own: the milliseconds until it is ready, and its memory after some work. */
const started = async (address, act = async () => {}) => {
  const browser = await launch();
  try {
    const opened = await browser.newPage();
    await opened.goto(address);
    await opened.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 120_000 });
    const time = Number(await opened.evaluate(() => document.documentElement.dataset.ready));
    await act(opened);
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => memoryOf(id));
    return [time, Math.max(...renderers)];
  } finally {
    await browser.close();
  }
};

const memoryOf = (id) =>
  1024 * Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))[1]);

const text = readFileSync(game, "utf8");
const found = { ours: [], bare: [], memory: [], judged: [] };

/** Judges a game, and shows one on the board, so that all rooms of the package are in memory. */
const work = async (opened) => {
  await opened.getByRole("tab", { name: "Check" }).click();
  await opened.getByLabel("A game file, an archive or a move list").fill(text);
  const once = () =>
    opened.evaluate(async () => {
      const panel = document.querySelector("[role=tabpanel]:not([hidden])");
      const before = performance.now();
      [...panel.querySelectorAll("button")].find((one) => one.innerText === "Judge").click();
      await new Promise((done) => {
        const watch = new MutationObserver(() => {
          if (panel.querySelector(".said")) done(watch.disconnect());
        });
        watch.observe(panel.querySelector(".answer"), { childList: true });
      });
      return performance.now() - before;
    });
  await once();
  for (let time = 0; time < 20; time += 1) found.judged.push(await once());
  await opened.getByRole("tab", { name: "Board" }).click();
  await opened.getByLabel("An example").selectOption("asynchronous");
  await opened.getByRole("button", { name: "Open the example" }).click();
  await opened.locator(".shelf svg.scene").waitFor();
};

for (let time = 0; time < Number(times); time += 1) {
  found.bare.push((await started(`http://127.0.0.1:${server.address().port}/`))[0]);
  const [milliseconds, bytes] = await started(pathToFileURL(page).href, work);
  found.ours.push(milliseconds);
  found.memory.push(bytes);
}
server.close();
console.log(JSON.stringify(found));
