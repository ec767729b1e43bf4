// The steps in which a player sends a move from the page: a code is sent, typed, and then the move goes.

const SENT =
  "You get the answer by mail, too. For your next move, please open the link in the letter that asks you for it.";

/** Codes of refusals that are over in a while. */
const LATER = ["store", "too-often", "clock-jump"];

/**
 * The steps below a root. `ask` asks the desk, `standing` is its answer about the seat, and `sent(text)` is called with
 * a line that the desk has accepted.
 */
export const submission = (root, ask, standing, sent) => {
  const note = root.querySelector("[role=status]");
  const heading = root.querySelector("h3");
  const browser = root.querySelector("[data-paired]");
  const steps = Object.fromEntries([...root.querySelectorAll("form")].map((form) => [form.dataset.step, form]));
  let { paired, asked } = standing;
  let text = "";
  let busy = false;

  /** The step that comes next; none if there is nothing to send and no code to type. */
  const next = () => {
    if (!paired && asked) return "code";
    if (!text) return "";
    return paired ? "send" : "ask";
  };

  const render = () => {
    for (const [name, form] of Object.entries(steps)) form.hidden = name !== next();
    heading.hidden = !heading.textContent;
    browser.hidden = !paired;
    root.hidden = !next() && !paired && !note.textContent;
  };

  const focus = () => steps[next()]?.querySelector("input, p:not([hidden]) textarea, button").focus();

  // A disabled button would lose the focus.
  const setBusy = (now) => {
    busy = now;
    for (const one of root.querySelectorAll("button")) one.setAttribute("aria-disabled", String(now));
  };

  /** Does something for a form or a button, once at a time, and says what came of it; promises what went wrong. */
  const doing = async (work) => {
    if (busy) return null;
    let failed = null;
    setBusy(true);
    note.textContent = "";
    try {
      note.textContent = await work();
    } catch (error) {
      failed = error;
      note.textContent = error.message;
      if (error.code === "not-paired") paired = false;
      if (error.code === "pairing-over") asked = false;
    } finally {
      setBusy(false);
    }
    render();
    if (next()) focus();
    else (heading.hidden ? note : heading).focus();
    return failed;
  };

  const on = (step, work) => {
    steps[step].onsubmit = (event) => {
      event.preventDefault();
      doing(() => work(new FormData(steps[step])));
    };
  };

  const requestCode = async () => {
    await ask("code");
    asked = true;
    return "A letter with a code is on its way to your address. The code counts for half an hour, in this browser alone.";
  };

  on("ask", requestCode);
  on("code", async (form) => {
    await ask("pair", { code: form.get("code") });
    paired = true;
    steps.code.reset();
    return "This browser is paired. A letter confirms it.";
  });
  const submit = async (signed) => {
    const line = text;
    if (standing.signs && !signed) throw new Error("Your seat has a key: please paste the lines that “referee sign” prints.");
    const { done } = await ask("move", { line: standing.signs ? signed : line }).catch((error) => {
      // Its answer was lost, or it came from another window: it is made all the same.
      if (error.code !== "page-done") throw error;
      return { done: error.message };
    });
    text = "";
    heading.textContent = "Sent";
    sent(line);
    return `${done} ${SENT}`;
  };
  on("send", (form) => submit(form.get("signed").trim()));

  root.querySelector("[data-again]").onclick = () => doing(requestCode);
  root.querySelector("[data-forget]").onclick = () =>
    doing(async () => {
      await ask("forget");
      paired = asked = false;
      return "This browser can no longer move for you.";
    });
  steps.send.querySelector("[data-signs]").hidden = !standing.signs;
  render();

  return {
    /** Offers to send a line, below a heading that says what it does. */
    offer: (line, title) => {
      text = line;
      heading.textContent = title;
      note.textContent = "";
      render();
      focus();
    },

    /** Sends what is offered, if nothing else has to be done for it; promises whether the desk could not take it yet. */
    send: async () => {
      if (!text || !paired || standing.signs) return false;
      const failed = await doing(() => submit(""));
      return failed !== null && (!failed.code || LATER.includes(failed.code));
    },

    /** Takes back what was offered, and what was said of it. */
    withdraw: () => {
      text = heading.textContent = note.textContent = "";
      render();
    },
  };
};
