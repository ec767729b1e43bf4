// The legal moves as a tree: a path is a list of numbers of targets, from the first that was chosen to the last.

const plain = (text) => text.trim().replace(/\s+/g, " ").toLowerCase();

export const treeOf = ({ targets, wordings, nodes }) => {
  const numbers = new Map(targets.map(({ id }, number) => [id, number]));

  const follow = (path) => {
    let node = nodes.at(-1);
    for (const number of path) {
      const choice = node?.[1].find(([target]) => target === number);
      node = choice && nodes[choice[1]];
    }
    return node;
  };

  const filled = (template, path, part) =>
    template.replace(/\{(\d)\}/g, (_, place) => part(targets[path[Number(place)]]));

  const moveOf = (wording, path) => ({
    path,
    text: filled(wordings[wording].text, path, ({ text }) => text),
    sentence: filled(wordings[wording].sentence, path, ({ text, phrase }) => phrase ?? text),
  });

  const collect = (node, path, found) => {
    const [, choices, wording] = node;
    if (wording !== null) found.push(moveOf(wording, path));
    for (const [target, next] of choices) collect(nodes[next], [...path, target], found);
    return found;
  };
  let every;
  const all = () => (every ??= nodes.length ? collect(nodes.at(-1), [], []) : []);

  return {
    targets,

    /** What a path asks for next, and the numbers of the targets that can be chosen. */
    step(path) {
      const [ask, choices] = follow(path) ?? ["", []];
      return { ask, choices: choices.map(([target]) => target) };
    },

    /** The move at the end of a path, or null if more has to be chosen. */
    move(path) {
      const wording = follow(path)?.[2] ?? null;
      return wording === null ? null : moveOf(wording, path);
    },

    /** The path of ids as far as it is legal here. */
    pathOf(ids) {
      const path = ids.map((id) => numbers.get(id));
      while (path.length && !follow(path)) path.pop();
      return path;
    },

    /** The move of a text, however it is spaced, in capitals or not; null if it is no legal move. */
    find: (text) => all().find((move) => plain(move.text) === plain(text)) ?? null,

    /** Moves whose texts begin like this one, up to a limit. */
    like: (text, most) => {
      const found = [];
      for (const move of all()) {
        if (plain(move.text).startsWith(plain(text)) && found.push(move) === most) break;
      }
      return found;
    },
  };
};

/** Judges a text by the list of legal moves alone: where it stops being like any, and moves that begin like it. */
export const judgeBy = (tree) => async (text) => {
  const found = tree.find(text);
  if (found) return { move: found.text };
  let right = text.length;
  while (right && !tree.like(text.slice(0, right), 1).length) right -= 1;
  const suggestions = tree.like(text.slice(0, right), 3).map((move) => move.text);
  const message = right === text.length ? "the move goes on" : "no legal move goes on like this";
  return { column: right + 1, message, suggestions };
};
