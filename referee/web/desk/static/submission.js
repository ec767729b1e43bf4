// The steps in which a player sends a move from the page: a code is sent, typed, and then the move goes.

/**
 * The steps below a root. `ask` asks the desk, `standing` is what it says of the seat, and `sent(text)` is told
 * which line the desk has taken. What an earlier call has set for these elements is replaced.
 */
export const submission = (root, ask, standing, sent) => {
  const note = root.querySelector("[role=status]");
  const heading = root.querySelector("h3");
  const shown = root.querySelector("output");
  const sealed = root.querySelector("[data-sealed]");
  const steps = Object.fromEntries([...root.querySelectorAll("form")].map((form) => [form.dataset.step, form]));
  let { paired } = standing;

  const show = (step) => {
    for (const [name, form] of Object.entries(steps)) form.hidden = name !== step;
    root.hidden = false;
    steps[step].querySelector("input[name=code], button").focus();
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
    const { done } = await ask("move", { line: standing.signs ? signed : shown.textContent });
    for (const one of Object.values(steps)) one.hidden = true;
    sealed.hidden = true;
    heading.textContent = "Sent";
    note.textContent = `${done} You get the answer by mail, too.`;
    sent(shown.textContent);
  });

  root.querySelector("[data-again]").onclick = () => doing(requestCode);
  root.querySelector("[data-forget]").onclick = () =>
    doing(async () => {
      await ask("forget");
      paired = false;
      show("ask");
      note.textContent = "This browser cannot move for you any more.";
    });

  return {
    /** Offers to send a line; `reveal` is the one that reveals it, if it seals a move. */
    offer: (text, { reveal = "", kept = true } = {}) => {
      heading.textContent = "Make this move";
      shown.textContent = text;
      sealed.hidden = !reveal;
      sealed.querySelector("output").textContent = reveal;
      sealed.querySelector("[data-kept]").textContent = kept
        ? "This browser keeps it too, and sends it once everybody's move is in:"
        : "This browser keeps nothing: without the line, you cannot reveal your move:";
      steps.send.querySelector("[data-signs]").hidden = !standing.signs;
      note.textContent = "";
      show(paired ? "send" : "ask");
    },
  };
};
