// What this browser keeps between visits, if it is allowed to.

const named = (name) => `referee page ${name}`;

export const recall = (name) => {
  try {
    return JSON.parse(localStorage.getItem(named(name)));
  } catch {
    return null;
  }
};

const GAMES = "games";
const MOST_GAMES = 5;

/** The last games that were played or varied here, the newest first. */
export const lastGames = () => recall(GAMES) ?? [];

/** Keeps a game under its number, and at most a few others. */
export const rememberGame = (game) =>
  remember(GAMES, [game, ...lastGames().filter(({ number }) => number !== game.number)].slice(0, MOST_GAMES));

/** Keeps a value; false if the browser does not. */
export const remember = (name, value) => {
  try {
    localStorage.setItem(named(name), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};
