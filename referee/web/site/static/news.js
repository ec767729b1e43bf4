// What was played, as the list of moves on the page has it now.

/** The moves of a ply: who made them, by side and by name, and their notation. */
export const movesOf = (ply) =>
  [...ply.querySelectorAll("[data-by]")].map((one) => ({ by: one.dataset.by, name: one.querySelector(".unseen").textContent.trim(), move: one.querySelector(".move").textContent }));

/**
 * The last move of a side, and what was played with it and since: `after` if it is an answer, `planned` if it is one of
 * the moves of the side's plans, which it made in the plies `followed`.
 */
export const newsFor = (side, followed = []) => {
  const all = [...document.querySelectorAll("#moves [data-ply]")].map(movesOf);
  const byPlan = ({ by }, at) => by === side && followed.includes(at + 1);
  const last = all.findLastIndex((ply, at) => ply.some((one) => one.by === side && !byPlan(one, at)));
  return all.flatMap((ply, at) => (at < Math.max(last, all.length - 6) ? [] : ply.map((one) => ({ ...one, after: last >= 0 && at > last, planned: byPlan(one, at) }))));
};
