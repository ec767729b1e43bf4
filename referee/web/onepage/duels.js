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

const summary = ({ id, seat, opener, title, side, other, over, sent, state }) => ({
  id,
  seat,
  opener,
  title,
  side,
  other,
  over,
  sent,
  state,
});

/** The duel that messages belong to, if one is here: that of their reader rather than that of their sender. */
export const duelOf = (messages) => {
  // An opener has a key for one duel: a second opening with it is a cheat in the first one.
  const meant = (one) => messages.filter(({ id, opener }) => one.id === id || one.opener === opener);
  const found = keptDuels().filter((one) => meant(one).length);
  return found.find((one) => meant(one).some(({ seat }) => seat !== one.seat)) ?? found[0];
};

/** Keeps a duel; false if that lasts only as long as the page. */
export const keepDuel = (told) => store([summary(told), ...keptDuels().filter((one) => !same(one, told))]);

export const forgetDuel = (player) => store(keptDuels().filter((one) => !same(one, player)));
