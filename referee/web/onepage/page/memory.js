// What this browser keeps between visits, if it is allowed to. It is locked with a key, because all files that a browser
// opens from disk may read and write one storage.

import { fromAddress, fromBase64, toBase64 } from "./bytes.js";

const PREFIX = "referee page ";
const ASIDE = "aside";
const VECTOR = 12;
const LABEL = 12;
const MOST_GAMES = 5;

const isText = (value) => typeof value === "string";
const isNumber = (value) => Number.isFinite(value);

/** The lists by their names, and the form of what is in each. */
const FORMS = {
  games: (one) => isNumber(one.number) && isText(one.name) && isNumber(one.plies) && isText(one.file),
  practices: (one) => isNumber(one.number) && isText(one.title) && isNumber(one.plies) && isText(one.kept?.file),
  duels: (one) => [one.id, one.title, one.side, one.other, one.state].every(isText) && isNumber(one.seat),
  seals: (one) => [one.game, one.side, one.seal, one.reveal].every(isText) && isNumber(one.ply),
};

const bytesIn = (value) => new TextEncoder().encode(value);
const parsed = (said) => {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
};

/** What of a value is in the form of a list, and whether that is all of it. */
const readable = (name, value) => {
  const all = Array.isArray(value) ? value : [];
  const items = all.filter((one) => one !== null && typeof one === "object" && FORMS[name](one));
  return { items, whole: Array.isArray(value) && items.length === all.length };
};

/**
 * The lists under a key of 32 bytes, as it is in an address; `reach()` gives the storage, or throws.
 *
 * Each key has entries of its own, so that what another key locks is never touched. Where the browser keeps nothing, all
 * lasts as long as the page. `changed()` is called after every change.
 */
export const memoryOf = (reach, key, changed = () => {}) => {
  const unkept = new Map();
  const stuck = new Set();
  let prefix = PREFIX;
  let lock = null;

  const stored = (name) => {
    try {
      return reach().getItem(name);
    } catch {
      return null;
    }
  };
  const store = (name, said) => {
    try {
      reach().setItem(name, said);
      return true;
    } catch {
      return false;
    }
  };
  const names = () => {
    try {
      const storage = reach();
      return Array.from({ length: storage.length }, (_, place) => storage.key(place)).filter((one) => one.startsWith(PREFIX));
    } catch {
      return [];
    }
  };

  // The name of an entry is locked in, too: nothing can take the place of anything else.
  const locked = async (name, value) => {
    const iv = crypto.getRandomValues(new Uint8Array(VECTOR));
    const way = { name: "AES-GCM", iv, additionalData: bytesIn(name) };
    const inside = await crypto.subtle.encrypt(way, lock, bytesIn(JSON.stringify(value)));
    return toBase64([...iv, ...new Uint8Array(inside)]);
  };
  const unlocked = async (name, said) => {
    try {
      const bytes = fromBase64(said);
      const way = { name: "AES-GCM", iv: bytes.slice(0, VECTOR), additionalData: bytesIn(name) };
      return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt(way, lock, bytes.slice(VECTOR))));
    } catch {
      return undefined;
    }
  };

  const asides = () => names().filter((one) => lock && one.startsWith(`${prefix}${ASIDE} `));

  /** Keeps a text that is not what it should be under a name of its own; false if the browser does not. */
  const setAside = async (name, said) => {
    const place = `${prefix}${ASIDE} ${crypto.randomUUID()}`;
    return store(place, await locked(place, { name, text: said }));
  };

  /** A list, and the text in the storage that it was read from. */
  const read = async (name) => {
    const place = prefix + name;
    const said = lock && stored(place);
    if (unkept.has(name) || said === null) return { said, items: unkept.get(name) ?? [] };
    const value = await unlocked(place, said);
    const { items, whole } = readable(name, value);
    if (whole) return { said, items };
    const safe = await setAside(name, value === undefined ? said : JSON.stringify(value));
    // What can be put nowhere else stays where it is.
    if (!safe) stuck.add(name);
    if (!safe || !store(place, await locked(place, items))) unkept.set(name, items);
    return { said: stored(place), items };
  };

  const write = async (name, change) => {
    const { said, items } = await read(name);
    const next = change(items);
    if (lock && !stuck.has(name)) {
      const place = prefix + name;
      const fresh = await locked(place, next);
      // Another tab has changed it meanwhile.
      if (stored(place) !== said) return write(name, change);
      if (store(place, fresh)) {
        unkept.delete(name);
        return true;
      }
    }
    unkept.set(name, next);
    return false;
  };

  /** Locks what earlier versions of this page have kept as plain text. */
  const takeOver = async (name) => {
    const said = stored(PREFIX + name);
    if (said === null) return;
    const { items, whole } = readable(name, parsed(said));
    if (!whole && !(await setAside(name, said))) return;
    if (items.length && !(await write(name, (kept) => [...kept, ...items]))) return;
    reach().removeItem(PREFIX + name);
  };

  const begin = async () => {
    if (!globalThis.crypto.subtle) return;
    const bytes = fromAddress(key);
    const [label, found] = await Promise.all([
      crypto.subtle.digest("SHA-256", bytesIn(`referee page label 1 ${key}`)),
      crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]),
    ]);
    prefix = `${PREFIX}${toBase64(new Uint8Array(label).slice(0, LABEL))} `;
    lock = found;
    for (const name of Object.keys(FORMS)) await takeOver(name);
  };

  // One thing after another, in the order in which it was asked for.
  let last = begin().then(() => {
    // It is not waited for: it may ask this memory.
    changed();
  });
  const queued = (act) => {
    const mine = last.then(act);
    last = mine.catch(() => {});
    return mine;
  };

  return {
    recall: (name) => queued(async () => (await read(name)).items),
    /** Keeps what `change` makes of a list; false if that lasts only as long as the page. */
    change: (name, change) =>
      queued(async () => {
        const kept = await write(name, change);
        changed();
        return kept;
      }),
    /** All that is kept, with what was set aside. */
    everything: () =>
      queued(async () => {
        const found = {};
        for (const name of Object.keys(FORMS)) found[name] = (await read(name)).items;
        found[ASIDE] = await Promise.all(asides().map(async (one) => (await unlocked(one, stored(one))) ?? stored(one)));
        return found;
      }),
    /** How it is: `own` entries under this key, those of `others`, those set `aside`, and whether the browser `keeps`. */
    state: () =>
      queued(() => {
        const own = names().filter((one) => one.startsWith(prefix)).length;
        return { own, others: names().length - own, aside: asides().length, keeps: Boolean(lock) && !unkept.size };
      }),
    forgetAside: () =>
      queued(() => {
        for (const one of asides()) reach().removeItem(one);
        changed();
      }),
  };
};

/** The last games that were played under a name, the newest first; each has a `number` of its own. */
export const shelfOf = (memory, name) => {
  const others = (games, number) => games.filter((one) => one.number !== number);
  return {
    last: () => memory.recall(name),
    keep: (game) => memory.change(name, (games) => [game, ...others(games, game.number)].slice(0, MOST_GAMES)),
    forget: (number) => memory.change(name, (games) => others(games, number)),
  };
};
