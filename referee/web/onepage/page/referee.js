// The referee in its worker: it is asked, and answers when it is ready.

import { unpacked } from "./parts.js";

const SCRIPTS = ["pyodide.js", "pyodide.asm.mjs", "worker.js"];

// A worker that opens from disk can be no module, so that the module of Pyodide becomes a script.
const asScript = (text) =>
  `(() => { "use strict";\n${text
    .replaceAll("import.meta.url", '"https://parts.invalid/"')
    .replace("export default _createPyodideModule;", "globalThis.pyodideModule = _createPyodideModule;")}\n})();\n`;

// Pyodide asks whether scripts can be imported here by importing one, which the page's policy forbids: Firefox would
// say so on its console. A worker for which this fails counts as a module, as which Pyodide is started.
const NO_IMPORTS = "globalThis.importScripts = () => { throw new TypeError('nothing is imported here'); };\n";

/** Takes a part out of the page. */
const taken = (name) => {
  const place = document.getElementById(name);
  const text = place.textContent;
  place.remove();
  return text;
};

/**
 * Starts the referee of the parts with these names; `told(step)` hears how far it is.
 *
 * `ask(call, arguments)` promises the answer; an error that people can be told has `findings`.
 */
export const refereeOf = (names, told) => {
  const waiting = new Map();
  let number = 0;
  const start = async () => {
    told("unpacking");
    const scripts = await Promise.all(SCRIPTS.map((name) => unpacked(taken(name))));
    const [first, second, last] = scripts.map((bytes) => new TextDecoder().decode(bytes));
    const address = URL.createObjectURL(new Blob([NO_IMPORTS, first, "\n", asScript(second), last], { type: "text/javascript" }));
    const worker = new Worker(address);
    const ready = new Promise((resolve, reject) => {
      worker.addEventListener("error", (event) => reject(new Error(event.message ?? "the worker cannot start")));
      worker.addEventListener("message", ({ data }) => {
        if (data.step) told(data.step);
        else if (data.ready) resolve(worker);
        else if (data.number) waiting.get(data.number)(data);
        else reject(new Error(data.failed));
      });
    });
    const rest = names.filter((name) => !SCRIPTS.includes(name));
    worker.postMessage({ parts: rest.map((name) => [name, taken(name)]) });
    await ready;
    URL.revokeObjectURL(address);
    return worker;
  };
  const started = start();

  const ask = async (call, asked = {}) => {
    const worker = await started;
    number += 1;
    const mine = number;
    const { answer, failed } = await new Promise((resolve) => {
      waiting.set(mine, resolve);
      worker.postMessage({ number: mine, request: { call, with: asked } });
    });
    waiting.delete(mine);
    if (failed) throw new Error(`the referee failed here, please report it: ${failed}`);
    if (answer.error) throw Object.assign(new Error(answer.error.message), { told: true, ...answer.error });
    return answer;
  };
  return { ask, started };
};
