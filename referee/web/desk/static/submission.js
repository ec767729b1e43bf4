// The steps in which a player sends a move from the page: a code is sent, typed, and then the move goes.

import { sealMove } from "./sealing.js";

/**
 * The steps below a root. `ask` asks the desk, `standing` is what it says of the seat, `line(text)` is told which line
 * would be sent, and `sent(said, line)` what was done.
 */
export const submission = (root, ask, standing, { line, sent }) => {
  const note = root.querySelector("[role=status]");
  const shown = root.querySelector("output");
  const sealed = root.querySelector("[data-sealed]");
  const steps = Object.fromEntries([...root.querySelectorAll("form")].map((form) => [form.dataset.step, form]));
  let chosen = { text: "", move: "" };
  let { paired } = standing;

  const show = (step) => {
    for (const [name, form] of Object.entries(steps)) form.hidden = name !== step;
    root.hidden = false;
    steps[step].querySelector("input[name=code], button").focus();
  };

  const set = (text) => {
    shown.textContent = text;
    line(text);
  };

  /** Does something for a form or a button, once at a time, and says what went wrong. */
  const doing = async (work) => {
    const buttons = [...root.querySelectorAll("button")];
    if (buttons.some((one) => one.disabled)) return;
    for (const one of buttons) one.disabled = true;
    note.textContent = "";
    try {
      await work();
    } catch (error) {
      note.textContent = error.message;
    } finally {
      for (const one of buttons) one.disabled = false;
    }
  };

  // What an earlier call has set for these elements is replaced.
  const on = (step, work) => {
    steps[step].onsubmit = (event) => {
      event.preventDefault();
      doing(() => work(new FormData(steps[step])));
    };
  };

  const requestCode = async () => {
    await ask("code");
    show("code");
    note.textContent = "A letter with a code is on its way to your address. The code counts for half an hour.";
  };

  on("ask", requestCode);
  on("code", async (form) => {
    await ask("pair", { code: form.get("code") });
    paired = true;
    show("send");
    note.textContent = "This browser is paired. A letter tells you so.";
  });
  on("send", async (form) => {
    const signed = form.get("signed").trim();
    if (standing.signs && !signed) throw new Error("Your seat has a key: please paste the lines that “referee sign” prints.");
    const text = standing.signs ? signed : shown.textContent;
    const { done } = await ask("move", { line: text });
    for (const one of Object.values(steps)) one.hidden = true;
    note.textContent = `${done} You get the answer by mail, too.`;
    sent(text);
  });

  root.querySelector("[data-again]").onclick = () => doing(requestCode);
  root.querySelector("[data-forget]").onclick = () =>
    doing(async () => {
      await ask("forget");
      paired = false;
      show("ask");
      note.textContent = "This browser cannot move for you any more.";
    });
  steps.send.elements.seal.onchange = ({ target }) =>
    doing(async () => {
      sealed.hidden = !target.checked;
      if (!target.checked) return set(chosen.text);
      const { seal, reveal, kept } = await sealMove(standing.ply, chosen.move);
      sealed.querySelector("output").textContent = reveal;
      set(seal);
      if (!kept) note.textContent = "This browser keeps nothing. Without the line above, you cannot reveal your move.";
    });

  return {
    /** Offers to send a line; `move` is the move alone, if it can be sealed. */
    offer: (text, move = "") => {
      chosen = { text, move };
      const seal = steps.send.elements.seal;
      seal.checked = false;
      seal.closest("[data-seals]").hidden = !(move && standing.ply && crypto.subtle);
      steps.send.querySelector("[data-signs]").hidden = !standing.signs;
      sealed.hidden = true;
      note.textContent = "";
      set(text);
      show(paired ? "send" : "ask");
    },
  };
};
