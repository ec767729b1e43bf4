// Moves that this browser has sealed: only it knows them, until the desk asks for them.

import { drawNonce, sealLines } from "./seals.js";

const place = (commitment) => `referee sealed ${commitment}`;

/** Seals a move: the line for the desk and the one that reveals it, and whether this browser can keep that one. */
export const sealMove = async (ply, move) => {
  const lines = await sealLines(ply, move, drawNonce());
  try {
    localStorage.setItem(place(lines.seal.split(" ")[1]), lines.reveal);
    return { ...lines, kept: true };
  } catch {
    return { ...lines, kept: false };
  }
};

/** The line that reveals what was promised; null if this browser does not have it. */
export const keptReveal = (commitment) => {
  try {
    return localStorage.getItem(place(commitment));
  } catch {
    return null;
  }
};

/** Forgets a promise that is kept, or was never made. */
export const forgetSeal = (commitment) => {
  try {
    localStorage.removeItem(place(commitment));
  } catch {
    // There is nothing to forget.
  }
};
