// Seals of moves, as spec/log.md ("Seals") has them, made by the browser alone, which does not send the sealed move.

const NONCE = 32;

const digitsOf = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A fresh nonce: 64 hexadecimal digits. */
export const drawNonce = () => digitsOf(crypto.getRandomValues(new Uint8Array(NONCE)));

/**
 * The line that seals a move, and the one to keep, which reveals it.
 *
 * `ply` has the game's id, the digests of the log's first entry (`opening`) and of the one with which the ply began
 * (`head`), the ply's `number`, the `side`, and name and version of the `rules` with a blank between them. The move is
 * in canonical notation. No part may hold a line feed, or two moves could make the same bytes.
 */
export const sealLines = async (ply, move, nonce) => {
  const said = ["referee seal 2", ply.game, ply.opening, ply.head, String(ply.number), ply.side, ply.rules, move, nonce];
  if (said.some((line) => line.includes("\n"))) throw new RangeError("a seal has no line feed within a line");
  const bytes = new TextEncoder().encode(said.map((line) => `${line}\n`).join(""));
  const commitment = digitsOf(await crypto.subtle.digest("SHA-256", bytes));
  return { seal: `seal ${commitment}`, reveal: `reveal ${move} ${nonce}` };
};
