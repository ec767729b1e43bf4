// What a player can do besides moving: messages, draws, resigning, time for the others, forgetting the browser.

/** Shows what can be done; `act(line)` does it and promises what came of it, `called` are the names of the others. */
export const actsOf = ({ talk, acts, act, forget, called }) => {
  const done = acts.querySelector("#done");
  const sure = acts.querySelector("[data-sure]");
  const [asks, warns] = [acts.querySelector("[data-asks]"), acts.querySelector("[data-warns]")];
  const form = talk.querySelector("form");

  const tried = async (note, work) => {
    note.textContent = "";
    try {
      note.textContent = await work();
      return true;
    } catch (error) {
      note.textContent = error.message;
      return false;
    }
  };
  const does = (line) => () => tried(done, () => act(line));

  const others = called();
  talk.querySelector("label").textContent = `Write to ${others}`;
  warns.textContent = `${others} ${others.includes(" and ") ? "win" : "wins"} at once. It cannot be undone.`;
  acts.querySelector("[data-act='offer draw'] button").onclick = does("offer draw");
  asks.onclick = () => {
    sure.hidden = false;
    sure.querySelector("[data-keep]").focus();
  };
  sure.querySelector("[data-keep]").onclick = () => {
    sure.hidden = true;
    asks.focus();
  };
  sure.querySelector("[data-resign]").onclick = () => {
    done.focus();
    sure.hidden = true;
    does("resign")();
  };
  acts.querySelector("#giving form").onsubmit = (event) => {
    event.preventDefault();
    const { value } = event.target.days;
    does(`give ${value} ${value === "1" ? "day" : "days"}`)();
  };
  acts.querySelector("[data-forget]").onclick = () => tried(done, forget);
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    const note = talk.querySelector("[role=status]");
    if (await tried(note, () => act(`message: ${form.text.value.trim()}`))) form.reset();
    form.ariaBusy = "false";
  };

  return {
    /** Shows what the desk allows now. */
    show({ acts: allowed, paired }) {
      const held = acts.contains(document.activeElement) && document.activeElement;
      for (const one of acts.querySelectorAll("[data-act]")) one.hidden = !allowed.includes(one.dataset.act);
      const ending = acts.querySelector("#ending");
      ending.hidden = !allowed.some((one) => ["offer draw", "resign"].includes(one));
      ending.querySelector("summary").textContent = allowed.includes("offer draw") ? "Draw or resign" : "Resign";
      acts.querySelector("#giving").hidden = !allowed.includes("give");
      acts.querySelector("#paired").hidden = !paired;
      talk.hidden = !allowed.includes("message");
      acts.hidden = !paired && !allowed.length && !done.textContent; // what was done last stays to be read
      if (held && !held.checkVisibility()) (acts.hidden ? document.querySelector("#turn h2:not([hidden])") : done).focus();
    },
  };
};
