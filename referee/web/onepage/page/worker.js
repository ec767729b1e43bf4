// The worker: Python with the referee in it. It answers one request after another, and reaches no network.

import { filesOf, unpacked } from "./parts.js";

const HOME = "/page";
const FROM = "https://parts.invalid/";
const LOADED = ["pyodide.asm.wasm", "python_stdlib.zip", "pyodide.lock"];

const tell = (step) => postMessage({ step });

/** Gives Pyodide its files, and nothing else. */
const serve = (parts) => {
  globalThis.fetch = async (address) => {
    const name = String(address).replace(FROM, "");
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/zip";
    const found = parts.get(name);
    parts.delete(name);
    return found ? new Response(found, { headers: { "Content-Type": type } }) : new Response("", { status: 404 });
  };
};

const encoder = new TextEncoder();

/** Stores bytes, which nobody else may change from then on. */
const store = ({ FS }, name, bytes) => {
  const path = `${HOME}/${name}`;
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  FS.writeFile(path, bytes, { canOwn: true });
};

const start = async (texts) => {
  tell("unpacking");
  // Nothing is kept that was handed on: the memory is for Python.
  const parts = new Map(await Promise.all(texts.splice(0).map(async ([name, text]) => [name, await unpacked(text)])));
  tell("starting Python");
  serve(parts);
  const python = await globalThis.loadPyodide({
    indexURL: FROM,
    createPyodideModule: globalThis.pyodideModule,
    lockFileContents: new TextDecoder().decode(parts.get("pyodide.lock")),
    packageBaseUrl: FROM,
    env: { HOME, PYTHONPATH: HOME, PYTHONTZPATH: "", PYTHONDONTWRITEBYTECODE: "1" },
  });
  tell("loading the rules");
  for (const [name, content] of parts) {
    if (LOADED.includes(name)) continue;
    if (name.endsWith(".json")) for (const [file, text] of filesOf(content)) store(python, file, encoder.encode(text));
    else store(python, name, content);
    parts.delete(name);
  }
  python.pyimport("sys").path.append(`${HOME}/zones.zip`);
  python.pyimport("referee.web.onepage.curve").install();
  const { answer_page, limit_nesting } = python.pyimport("referee.web.onepage.bridge");
  limit_nesting();
  // The room for letters, which the one for pages does not know, is loaded when it is asked for.
  const letters = () => python.pyimport("referee.mail.evidence.testimony").LETTER_CALLS;
  return (request) => answer_page(JSON.stringify(request), ...(request.call === "letters" ? [letters()] : []));
};

let answer = null;
onmessage = async ({ data }) => {
  if (data.parts) {
    try {
      answer = await start(data.parts);
      postMessage({ ready: true });
    } catch (error) {
      postMessage({ failed: String(error?.message ?? error) });
    }
    return;
  }
  const { number, request } = data;
  try {
    postMessage({ number, answer: JSON.parse(answer(request)) });
  } catch (error) {
    postMessage({ number, failed: String(error?.message ?? error) });
  }
};
