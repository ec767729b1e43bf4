// A whole game in the part of an address behind the #, which no browser sends anywhere.

import { streamed } from "./parts.js";

const SIGN = "#game=";
const LONGEST = 1 << 20;

const toBase64 = (bytes) => {
  let signs = "";
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

/** The link to this page with a game file in it. */
export const linkOf = async (text) => {
  const bytes = await streamed(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return `${location.href.split("#")[0]}${SIGN}${toBase64(bytes)}`;
};

/** The game file in a link, or in the part behind its #; null if there is none. */
export const fileInLink = async (link) => {
  const place = link.indexOf(SIGN);
  if (place < 0) return null;
  const coded = link.slice(place + SIGN.length).trim();
  if (coded.length > LONGEST) throw Object.assign(new Error("the link is too long for a game"), { told: true });
  try {
    const bytes = Uint8Array.from(atob(coded.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(
      await streamed(bytes, new DecompressionStream("deflate-raw"), LONGEST),
    );
  } catch {
    throw Object.assign(new Error("the link is damaged: no game can be read from it"), { told: true });
  }
};
