// What was played, as the list of moves on the page has it now.

/** The moves of a ply: who made them, by side and by name, and their notation. */
export const movesOf = (ply) =>
  [...ply.querySelectorAll("[data-by]")].map((one) => ({ by: one.dataset.by, name: one.querySelector(".unseen").textContent.trim(), move: one.querySelector(".move").textContent }));

/** The last move of a side, and what the others have played with it and since; `after` if it is an answer. */
export const newsFor = (side) => {
  const all = [...document.querySelectorAll("#moves [data-ply]")].map(movesOf);
  const last = all.findLastIndex((ply) => ply.some(({ by }) => by === side));
  return all.flatMap((ply, at) => (at < Math.max(last, all.length - 6) ? [] : ply.map((one) => ({ ...one, after: last >= 0 && at > last }))));
};
