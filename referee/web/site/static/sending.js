// How a line gets from the page to the desk: the browser is paired first, lines are signed, and what does not get
// through is sent again.

/** Codes of refusals that are over in a while. */
const LATER = ["store", "too-often", "clock-jump", "page-engine"];
const AGAIN = 1000;
const RARELY = 60_000;

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** A text that is the same when a request is sent again, and in no other. */
const drawOnce = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16)).join("");

/** Does something for a form once at a time; what goes wrong is said below it. */
const once = (form, work) => {
  const fault = form.querySelector("[role=alert]") ?? form.appendChild(document.createElement("p"));
  fault.role = "alert";
  return async (event) => {
    event?.preventDefault?.();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    fault.textContent = "";
    try {
      await work();
    } catch (error) {
      fault.textContent = error.message;
      form.querySelector("input, textarea").focus();
    } finally {
      form.ariaBusy = "false";
    }
  };
};

/**
 * Sends lines: `ask(name, said)` asks the desk, `seat()` is its last answer about the seat, `open(form)` shows a form
 * and `close()` hides it, and `troubled(error)` is told that the desk cannot be reached yet.
 */
export const sendingOf = ({ pairing, signing, ask, seat, open, close, troubled }) => {
  /** Has the browser paired by a code in a letter; promises false if the player goes back. */
  const pair = (text, mail) =>
    new Promise((resolve) => {
      const code = pairing.querySelector("input");
      const end = (done) => {
        close();
        resolve(done);
      };
      let asking = null;
      const request = once(pairing, async () => {
        await ask("code", { key: seat().key });
        seat().asked = true;
      });
      const submit = once(pairing, async () => {
        await ask("pair", { key: seat().key, code: code.value });
        seat().paired = true;
        pairing.reset();
        end(true);
      });
      pairing.querySelector("[data-send]").textContent = text;
      pairing.querySelector("[data-mail]").href = mail;
      pairing.querySelector("[data-again]").onclick = request;
      pairing.querySelector("[data-back]").onclick = () => end(false);
      pairing.onsubmit = async (event) => {
        event.preventDefault();
        await asking; // the letter may still be on its way
        return submit();
      };
      code.oninput = () => code.value.replace(/\D/g, "").length === 8 && pairing.requestSubmit();
      open(pairing, "Type the code from our letter");
      code.focus();
      if (!seat().asked) asking = request();
    });

  /** The signed lines that the player pastes; null if the player goes back. */
  const sign = () =>
    new Promise((resolve) => {
      const end = (lines) => {
        close();
        resolve(lines);
      };
      signing.querySelector("[data-back]").onclick = () => end(null);
      signing.onsubmit = once(signing, async () => {
        const lines = signing.querySelector("textarea").value.trim();
        if (!lines) throw new Error("Your seat has a key: please paste the lines that “referee sign” prints.");
        end(lines);
      });
      open(signing, "Sign your move");
      signing.querySelector("textarea").focus();
    });

  /** Sends a line until the desk has it; the error of a refusal has a code. */
  const post = async (line) => {
    const said = { key: seat().key, line, once: drawOnce() };
    for (let wait = AGAIN; ; wait = Math.min(2 * wait, RARELY)) {
      try {
        return await ask("move", said);
      } catch (error) {
        // Its answer was lost, or it came from another window: it is made all the same.
        if (error.code === "page-done") return { done: error.message };
        if (error.code && !LATER.includes(error.code)) throw error;
        if (troubled(error) === false) throw error;
        await pause(wait);
      }
    }
  };

  return {
    post,

    /** Sends a move, with all that has to be done for it; promises null if the player goes back. */
    async send(line, { label, mail }) {
      if (!seat().paired && !(await pair(label, mail))) return null;
      const lines = seat().signs ? await sign() : line;
      return lines === null ? null : post(lines);
    },
  };
};
