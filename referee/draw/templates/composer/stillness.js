// Nothing moves while a finger or a button of the mouse is down.

let held = false;
const waiting = [];

addEventListener("pointerdown", () => (held = true), true);
for (const kind of ["pointerup", "pointercancel", "blur"]) {
  addEventListener(
    kind,
    () => {
      held = false;
      // The click that follows is still for what was under the finger.
      setTimeout(() => {
        while (!held && waiting.length) waiting.shift()();
      });
    },
    true,
  );
}

/** Does something now, or once nothing is held down. */
export const whenStill = (act) => {
  if (held) waiting.push(act);
  else act();
};
