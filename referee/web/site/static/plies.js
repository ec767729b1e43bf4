// The moves of a game, as the list on its page has them now.

const movesOf = (ply) =>
  [...ply.querySelectorAll(":scope > span")].map((one) => ({
    by: one.firstElementChild.textContent,
    move: one.lastElementChild.textContent,
  }));

/**
 * What was played since a ply until a side moved again: its `own` move in that ply, if it has made one, and those of
 * `others`; `after` says that a move came in a later ply.
 */
export const movesSince = (number, side) => {
  const all = [...document.querySelectorAll("#moves .ply:not(.start)")].slice(number - 1).map(movesOf);
  const again = all.findIndex((ply, at) => at > 0 && ply.some(({ by }) => by === side));
  const plies = again < 0 ? all : all.slice(0, again);
  return {
    own: plies[0]?.find(({ by }) => by === side)?.move,
    others: plies.flatMap((ply, at) => ply.filter(({ by }) => by !== side).map((one) => ({ ...one, after: at > 0 }))),
  };
};
