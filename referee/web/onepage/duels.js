// The duels of this browser. Each has the text of its file, with the secrets of its player, and what a list shows of it.

import { recall, remember } from "./memory.js";

const DUELS = "duels";
let unkept = null;

/** All duels, the one that changed last before the others. */
export const keptDuels = () => unkept ?? recall(DUELS) ?? [];

const same = (one, other) => one.id === other.id && one.seat === other.seat;

/** The duel of a player; undefined if it is not here. */
export const keptDuel = (player) => keptDuels().find((one) => same(one, player));

const store = (duels) => {
  unkept = remember(DUELS, duels) ? null : duels;
  return !unkept;
};

const summary = ({ id, seat, title, side, other, over, state }) => ({ id, seat, title, side, other, over, state });

/** Keeps a duel; false if that lasts only as long as the page. */
export const keepDuel = (told) => store([summary(told), ...keptDuels().filter((one) => !same(one, told))]);

export const forgetDuel = (player) => store(keptDuels().filter((one) => !same(one, player)));
