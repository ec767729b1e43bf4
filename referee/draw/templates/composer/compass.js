// Ways by the arrow keys, by nothing but the geometry of what can be reached.

export const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/**
 * The place that an arrow leads to, or null at the edge.
 *
 * `lane` is the point from which this row or column was entered. It keeps a way straight on boards whose cells are
 * staggered: right and right again comes back to the same height.
 */
export const neighbour = (places, here, [right, down], lane = here) => {
  let best = null;
  let least = Infinity;
  for (const place of places) {
    const along = (place.x - here.x) * right + (place.y - here.y) * down;
    const aside = Math.abs(right ? place.y - here.y : place.x - here.x);
    // Between two arrows, what is nearer to the other one's way is left to it.
    if (along < 1 || aside > along + 1) continue;
    const across = Math.abs(right ? place.y - lane.y : place.x - lane.x);
    const cost = along + 1.4 * across;
    if (cost < least - 0.01) [best, least] = [place, cost];
  }
  return best;
};

/** The nearest of some places. */
export const nearest = (places, { x, y }) =>
  places.reduce((best, one) => {
    const far = Math.hypot(one.x - x, one.y - y);
    return best && best.far <= far ? best : { one, far };
  }, null)?.one ?? null;
