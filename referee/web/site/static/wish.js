// The line that opens a game with engines: it is copied, or sent right here where a browser may act for its player.

import { copied } from "./kept.js";
import { seatAt } from "./seat.js";

const line = document.getElementById("line");
const output = line.querySelector("output");
const text = () => output.textContent;
const status = line.querySelector("[role=status]");
const { copy, send } = Object.fromEntries([...line.querySelectorAll("[data-way]")].map((one) => [one.dataset.way, one]));

copy.hidden = !navigator.clipboard; // browsers give it only to pages that came over HTTPS
copy.onclick = async () => {
  status.textContent = await copied(text());
};

const friend = line.querySelector("[data-friend]");
if (friend) {
  const mail = line.querySelector("[data-way=mail]");
  const [said, letter] = [text(), mail.href];
  friend.hidden = false;
  friend.oninput = ({ target }) => {
    const address = target.value.trim() || "ADDRESS";
    output.textContent = said.replace("ADDRESS", () => address);
    mail.href = letter.replaceAll("ADDRESS", () => encodeURIComponent(address));
  };
}

/** Says that the game is there, with the way to it. */
const opened = ({ done, link }) => {
  const way = Object.assign(document.createElement("a"), { href: link, textContent: "Go to your game" });
  status.replaceChildren(`${done} `, way);
  send.hidden = true;
  way.focus();
};

if (line.dataset.address) {
  const ask = seatAt(line.dataset.address, "");
  const { paired } = await ask("browser").catch(() => ({ paired: false }));
  send.hidden = !paired;
  send.onclick = async () => {
    if (send.ariaDisabled === "true") return;
    send.ariaDisabled = "true"; // a disabled button would lose the focus
    try {
      opened(await ask("open", { line: text() }));
    } catch (error) {
      status.textContent = error.message;
    } finally {
      send.ariaDisabled = "false";
    }
  };
}
