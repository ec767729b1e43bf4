// The duels of this browser. Each has the text of its file, with the secrets of its player, and what a list shows of it.

const DUELS = "duels";

const same = (one, other) => one.id === other.id && one.seat === other.seat;

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

/** The duels in a memory. */
export const duelsOf = (memory) => {
  const all = () => memory.recall(DUELS);
  return {
    /** All duels, the one that changed last before the others. */
    all,
    /** The duel of a player; undefined if it is not here. */
    find: async (player) => (await all()).find((one) => same(one, player)),
    /** The duel that messages belong to, if one is here: that of their reader rather than that of their sender. */
    async of(messages) {
      // An opener has a key for one duel: a second opening with it is a cheat in the first one.
      const meant = (one) => messages.filter(({ id, opener }) => one.id === id || one.opener === opener);
      const found = (await all()).filter((one) => meant(one).length);
      return found.find((one) => meant(one).some(({ seat }) => seat !== one.seat)) ?? found[0];
    },
    /**
     * Keeps a duel; false if that lasts only as long as the page. `before` is called with the one that is kept already,
     * and may refuse.
     */
    keep: (told, before = () => {}) =>
      memory.change(DUELS, (duels) => {
        before(duels.find((one) => same(one, told)));
        return [summary(told), ...duels.filter((one) => !same(one, told))];
      }),
    forget: (player) => memory.change(DUELS, (duels) => duels.filter((one) => !same(one, player))),
  };
};
