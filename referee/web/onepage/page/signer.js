// Signing with a key of one's own: its file is read when it is needed, and kept nowhere.

import { element } from "../../../draw/templates/composer/elements.js";

const KEY_FORM = /^referee private key 1\r?\n([0-9a-f]{64})\r?\n?$/;
const LARGEST_KEY = 1000;
const BEFORE_SEED = "302e020100300506032b657004220420";

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
const digitsOf = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const refuse = (message) => {
  throw Object.assign(new Error(message), { told: true });
};

/** The key in the text of a file that `referee key new` has written. */
const keyOf = async (text) => {
  const found = text.match(KEY_FORM) ?? refuse("This is not a file that 'referee key new' has written.");
  try {
    return await crypto.subtle.importKey("pkcs8", bytesOf(BEFORE_SEED + found[1]), "Ed25519", false, ["sign"]);
  } catch {
    return refuse("This browser cannot sign: use the command of the letter.");
  }
};

/** The line below what is signed, with a blank where a mail program may break it. */
const signatureOf = async (key, text) => {
  const digits = digitsOf(await crypto.subtle.sign("Ed25519", key, new TextEncoder().encode(text)));
  return `signed ${digits.slice(0, 64)} ${digits.slice(64)}`;
};

/** A field for the file of a key; `sign(texts)` promises a line for each, and nothing if no file was chosen. */
export const signerOf = () => {
  const file = element("input", { type: "file", id: "key-file" });
  const root = element(
    "p",
    { class: "field" },
    element("label", { for: file.id }, "The file of your key, if your seat has one"),
    file,
  );
  const sign = async (texts) => {
    const [chosen] = file.files;
    if (!chosen) return [];
    if (chosen.size > LARGEST_KEY) refuse("This is not a file that 'referee key new' has written.");
    const key = await keyOf(await chosen.text());
    return Promise.all(texts.map((text) => signatureOf(key, text)));
  };
  return { root, sign };
};
