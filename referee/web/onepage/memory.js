// What this browser keeps between visits, if it is allowed to.

const named = (name) => `referee page ${name}`;

export const recall = (name) => {
  try {
    return JSON.parse(localStorage.getItem(named(name)));
  } catch {
    return null;
  }
};

/** Keeps a value; false if the browser does not. */
export const remember = (name, value) => {
  try {
    localStorage.setItem(named(name), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};

const MOST_GAMES = 5;

/** The last games that were played under a name, the newest first; each has a `number` of its own. */
const shelfOf = (name) => {
  const last = () => recall(name) ?? [];
  const others = (number) => last().filter((one) => one.number !== number);
  return {
    last,
    keep: (game) => remember(name, [game, ...others(game.number)].slice(0, MOST_GAMES)),
    forget: (number) => remember(name, others(number)),
  };
};

/** The games that were played or varied on the board. */
export const studies = shelfOf("games");

/** The games against engines. */
export const practices = shelfOf("practices");
