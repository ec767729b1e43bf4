// A whole game in the part of an address behind the #, which no browser sends anywhere.

import { plainAddress } from "./address.js";
import { fromAddress, toAddress } from "./bytes.js";
import { streamed } from "./parts.js";

const SIGN = "#game=";
const LONGEST = 1 << 20;

/** The link to this page with a game file in it. */
export const linkOf = async (text) => {
  const bytes = await streamed(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return `${plainAddress()}${SIGN}${toAddress(bytes)}`;
};

/** The game file in a link, or in the part behind its #; null if there is none. */
export const fileInLink = async (link) => {
  const place = link.indexOf(SIGN);
  if (place < 0) return null;
  const coded = link.slice(place + SIGN.length).trim();
  if (coded.length > LONGEST) throw Object.assign(new Error("the link is too long for a game"), { told: true });
  try {
    const unpacked = await streamed(fromAddress(coded), new DecompressionStream("deflate-raw"), LONGEST);
    return new TextDecoder("utf-8", { fatal: true }).decode(unpacked);
  } catch {
    throw Object.assign(new Error("the link is damaged: no game can be read from it"), { told: true });
  }
};
