// A game as a tree of plies: the main line, and beside it the variations. The first child of a node continues its line,
// unless that `ends` there and all children are variations.

const sameMoves = (one, other) =>
  Object.keys(one).length === Object.keys(other).length && Object.keys(one).every((side) => one[side] === other[side]);

const nodeOf = (moves, parent) => ({ moves, parent, children: [], ends: false });

/** What follows a node by these moves, which is added if need be. */
export const followed = (node, moves) => {
  const known = node.children.find((child) => sameMoves(child.moves, moves));
  if (known) return known;
  const made = nodeOf(moves, node);
  node.children.push(made);
  return made;
};

/** The variations of what follows a node. */
export const others = (node) => node.children.slice(node.ends ? 0 : 1);

/** The tree of a main line and of its variations, each as `{ply, plies, variations}`. */
export const linesOf = (line, variations) => {
  const root = nodeOf(null, null);
  const grow = ({ plies, variations: inner }, before) => {
    const path = [...before];
    for (const moves of plies) path.push(followed(path.at(-1), moves));
    for (const one of inner) {
      const at = path[one.ply - 1];
      at.ends ||= !at.children.length;
      grow(one, path.slice(0, one.ply));
    }
  };
  grow({ plies: line, variations }, [root]);
  return root;
};

/** The nodes of the main line from a node on. */
export const mainLine = (root) => {
  const nodes = [root];
  while (nodes.at(-1).children.length && !nodes.at(-1).ends) nodes.push(nodes.at(-1).children[0]);
  return nodes;
};

/** The plies that lead to a node. */
export const pliesTo = (node) => {
  const plies = [];
  for (let at = node; at.parent; at = at.parent) plies.unshift(at.moves);
  return plies;
};

/** The variations beside the line that goes on from a node, which `ply` plies led to. */
const beside = (node, ply) =>
  mainLine(node).flatMap((at, place) =>
    others(at).map((first) => ({
      ply: ply + place + 1,
      plies: mainLine(first).map(({ moves }) => moves),
      variations: beside(first, ply + place + 1),
    })),
  );

/** The main line and its variations, as `linesOf` takes them. */
export const written = (root) => ({ line: pliesTo(mainLine(root).at(-1)), variations: beside(root, 0) });

/** Removes a node and all that follows it; gives what was before it. */
export const cut = (node) => {
  const { parent } = node;
  parent.children.splice(parent.children.indexOf(node), 1);
  parent.ends &&= parent.children.length > 0;
  return parent;
};

/** Makes the line that leads to a node the main one. */
export const promote = (node) => {
  for (let at = node; at.parent; at = at.parent) {
    const { children } = at.parent;
    at.parent.ends = false;
    children.unshift(...children.splice(children.indexOf(at), 1));
  }
};

/** The number of a node's ply, and its moves as words. */
export const titleOf = (node) =>
  node.parent ? `${pliesTo(node).length}. ${Object.values(node.moves).join(" | ")}` : "Start";
