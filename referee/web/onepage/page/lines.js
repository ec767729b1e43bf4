// A game as a tree of plies: the main line, and beside it the variations.

const sameMoves = (one, other) =>
  Object.keys(one).length === Object.keys(other).length && Object.keys(one).every((side) => one[side] === other[side]);

const nodeOf = (moves, parent) => ({ moves, parent, children: [] });

/** What follows a node by these moves, which is added if need be. */
export const followed = (node, moves) => {
  const known = node.children.find((child) => sameMoves(child.moves, moves));
  if (known) return known;
  const made = nodeOf(moves, node);
  node.children.push(made);
  return made;
};

/** The tree of a main line and of variations as `{ply, plies}`. */
export const linesOf = (line, variations) => {
  const root = nodeOf(null, null);
  let end = root;
  for (const moves of line) end = followed(end, moves);
  const main = mainLine(root);
  for (const { ply, plies } of variations) {
    let node = main[ply - 1];
    for (const moves of plies) node = followed(node, moves);
  }
  return root;
};

/** The nodes of the main line, from the start of the game on. */
export const mainLine = (root) => {
  const nodes = [root];
  while (nodes.at(-1).children.length) nodes.push(nodes.at(-1).children[0]);
  return nodes;
};

/** The plies that lead to a node. */
export const pliesTo = (node) => {
  const plies = [];
  for (let at = node; at.parent; at = at.parent) plies.unshift(at.moves);
  return plies;
};

const ends = (node) => (node.children.length ? node.children.flatMap(ends) : [node]);

/** The main line and the variations, as `linesOf` takes them. */
export const written = (root) => {
  const main = mainLine(root);
  const variations = main.flatMap((node, place) =>
    node.children
      .slice(1)
      .flatMap(ends)
      .map((end) => ({ ply: place + 1, plies: pliesTo(end).slice(place) })),
  );
  return { line: pliesTo(main.at(-1)), variations };
};

/** Removes a node and all that follows it; gives what was before it. */
export const cut = (node) => {
  node.parent.children.splice(node.parent.children.indexOf(node), 1);
  return node.parent;
};

/** Makes the line that leads to a node the main one. */
export const promote = (node) => {
  for (let at = node; at.parent; at = at.parent) {
    const { children } = at.parent;
    children.unshift(...children.splice(children.indexOf(at), 1));
  }
};

/** The number of a node's ply, and its moves as words. */
export const titleOf = (node) =>
  node.parent ? `${pliesTo(node).length}. ${Object.values(node.moves).join(" | ")}` : "Start";
