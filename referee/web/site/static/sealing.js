// Moves that this browser has sealed: only it knows them, until the desk asks for them.

import { drawNonce, sealLines } from "./seals.js";

const ofGame = ({ game }) => `referee sealed ${game} `;
const place = (ply, commitment) => `${ofGame(ply)}${ply.number} ${commitment}`;

/** The nonce of a move that this browser has sealed for a ply before, so that the line that was kept still counts. */
const keptNonce = async (ply, move) => {
  const beginning = `reveal ${move} `;
  try {
    for (const [name, line] of Object.entries(localStorage)) {
      if (!name.startsWith(`${ofGame(ply)}${ply.number} `) || !line.startsWith(beginning)) continue;
      const nonce = line.slice(beginning.length);
      const { seal } = await sealLines(ply, move, nonce);
      if (name === place(ply, seal.split(" ")[1])) return nonce;
    }
  } catch {
    // Nothing is kept.
  }
  return null;
};

/**
 * Seals a move: the line for the desk and the one that reveals it, and whether this browser can keep that one.
 *
 * The same move of the same ply gets the same lines.
 */
export const sealMove = async (ply, move) => {
  const lines = await sealLines(ply, move, (await keptNonce(ply, move)) ?? drawNonce());
  try {
    localStorage.setItem(place(ply, lines.seal.split(" ")[1]), lines.reveal);
    return { ...lines, kept: true };
  } catch {
    return { ...lines, kept: false };
  }
};

/** The line that reveals what was promised for a ply; null if this browser does not have it. */
export const keptReveal = (ply, commitment) => {
  try {
    return localStorage.getItem(place(ply, commitment));
  } catch {
    return null;
  }
};

/** Forgets moves sealed in the game for earlier plies, which are no longer needed. */
export const forgetEarlier = (ply) => {
  try {
    const mine = Object.keys(localStorage).filter((name) => name.startsWith(ofGame(ply)));
    for (const name of mine) {
      if (Number(name.slice(ofGame(ply).length).split(" ")[0]) < ply.number) localStorage.removeItem(name);
    }
  } catch {
    // There is nothing to forget.
  }
};

/**
 * Whether the player means to seal the move of a seat's turn, as this tab remembers it.
 *
 * It goes with the draft: a page that is read again must not ask the desk about a move that is to be sealed.
 */
export const meansToSeal = (turn) => {
  const name = `referee sealing ${turn}`;
  return {
    read: () => {
      try {
        return sessionStorage.getItem(name) === "yes";
      } catch {
        return false; // no draft is kept either
      }
    },
    write: (means) => {
      try {
        sessionStorage.setItem(name, means ? "yes" : "no");
      } catch {
        // Then it lasts as long as the page.
      }
    },
  };
};
