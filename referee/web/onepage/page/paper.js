// What the rooms have in common: a field for a text or a file, an answer, and ways out of the page.

import { element } from "../../../draw/templates/composer/elements.js";

const LARGEST = 16 << 20;
let papers = 0;

const PLAIN = { class: "slot", rows: "4", spellcheck: "false", autocomplete: "off", autocapitalize: "none" };
const areaOf = (attributes) => element("textarea", { ...PLAIN, ...attributes });

/** A field for a text, which can come from a file too; `name()` is that of the file. */
export const paperOf = (label, rows = 10) => {
  papers += 1;
  const id = `paper-${papers}`;
  const area = areaOf({ id, rows });
  const file = element("input", { type: "file", id: `${id}-file` });
  const told = element("p", { class: "fault", role: "status" });
  let name = "pasted";
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    told.textContent = chosen.size > LARGEST ? "A file has at most 16 MiB here." : "";
    if (chosen.size > LARGEST) return;
    area.value = await chosen.text();
    name = chosen.name;
  });
  area.addEventListener("input", () => (name = "pasted"));
  const root = element(
    "div",
    { class: "paper" },
    element("label", { for: id }, label),
    area,
    element("label", { for: `${id}-file` }, "Or a file"),
    file,
    told,
  );
  return {
    root,
    text: () => area.value,
    name: () => name,
    write(text) {
      area.value = text;
      name = "pasted";
    },
    /** Selects a place, counted from 1. */
    point(line, column) {
      const lines = area.value.split("\n");
      const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
      area.focus();
      area.setSelectionRange(start, Math.max(start, start - column + 1 + (lines[line - 1]?.length ?? 0)));
    },
  };
};

const signsOf = (bytes) => {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 1 << 15) parts.push(String.fromCharCode(...bytes.subarray(at, at + (1 << 15))));
  return parts.join("");
};

/**
 * A field for any number of files, and for a text that counts as one; `files()` promises each as `{name, content}`,
 * with a character for each byte.
 */
export const stackOf = (label) => {
  papers += 1;
  const id = `paper-${papers}`;
  const area = areaOf({ id });
  const chosen = element("input", { type: "file", id: `${id}-files`, multiple: "" });
  const root = element(
    "div",
    { class: "paper" },
    element("label", { for: id }, label),
    area,
    element("label", { for: chosen.id }, "Or files"),
    chosen,
  );
  const files = async () => {
    const found = [...chosen.files];
    if (found.reduce((size, { size: more }) => size + more, 0) > LARGEST) {
      throw Object.assign(new Error("The files have at most 16 MiB together here."), { told: true });
    }
    const pasted = area.value.trim() ? [{ name: "pasted", content: signsOf(new TextEncoder().encode(area.value)) }] : [];
    const read = async (one) => ({ name: one.name, content: signsOf(new Uint8Array(await one.arrayBuffer())) });
    return [...pasted, ...(await Promise.all(found.map(read)))];
  };
  return { root, files };
};

const labelled = (label, input) => ({
  input,
  root: element("p", { class: "field" }, element("label", { for: input.id }, label), input),
});

/** A field of one line, with its label. */
export const fieldOf = (label, attributes = {}) => {
  papers += 1;
  const base = { id: `field-${papers}`, class: "slot", autocomplete: "off", spellcheck: "false" };
  return labelled(label, element("input", { ...base, ...attributes }));
};

/** A field of several lines, with its label. */
export const linesFieldOf = (label, attributes = {}) => {
  papers += 1;
  return labelled(label, areaOf({ id: `field-${papers}`, ...attributes }));
};

/** A choice of one of several values, as `[value, words]`, with its label. */
export const choiceOf = (label, values) => {
  papers += 1;
  const options = values.map(([value, words]) => element("option", { value }, words));
  return labelled(label, element("select", { id: `choice-${papers}`, class: "slot" }, ...options));
};

export const buttonOf = (words, act) => {
  const made = element("button", { type: "button" }, words);
  made.addEventListener("click", act);
  return made;
};

/** Does what it is given, and says in a place why it cannot be done; true if it was done. */
export const triedIn = (fault) => async (act) => {
  fault.textContent = "";
  try {
    await act();
    return true;
  } catch (error) {
    fault.textContent = error.message;
    if (!error.told) throw error;
    return false;
  }
};

/** The place of an answer; `wait(act)` shows the result of the act, or the reason why it failed. */
export const answerOf = () => {
  const root = element("div", { class: "answer", role: "status" });
  let latest = 0;
  const show = (...inside) => root.replaceChildren(...inside);
  const wait = async (act) => {
    const mine = (latest += 1);
    show(element("p", {}, "One moment."));
    try {
      const found = await act();
      if (mine === latest) show(...found);
    } catch (error) {
      if (mine !== latest) return;
      show(element("pre", { class: "said wrong" }, error.message));
      if (!error.told) throw error;
    }
  };
  return { root, wait, show };
};

/** Offers a text as a file. */
export const saveAs = (name, type, text) => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

/** Copies a text; false if the browser does not allow it. */
export const copied = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

/** A text that leaves the page: `show(text)` shows it, unless it is empty; `copy(text, words)` copies it, too. */
export const outgoingOf = (label) => {
  const area = areaOf({ readonly: "", "aria-label": label, hidden: "" });
  const told = element("p", { role: "status" });
  const show = (text) => {
    area.hidden = !text;
    area.value = text;
    told.textContent = "";
  };
  const copy = async (text, words) => {
    show(text);
    told.textContent = (await copied(text)) ? `${words} is copied.` : `Copy ${words.toLowerCase()} from the field.`;
  };
  return { root: element("div", { class: "paper" }, told, area), show, copy };
};
