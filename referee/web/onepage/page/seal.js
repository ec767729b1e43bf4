// Sealing a move for a letter and keeping what reveals it; signing lines for a letter.

import { element } from "../../../draw/templates/composer/elements.js";
import { answerOf, buttonOf, copied, fieldOf, linesFieldOf, saveAs } from "./paper.js";
import { signerOf } from "./signer.js";

const SEALS = "seals";

const drawn = () =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const sealRoom = ({ ask, memory }) => {
  const command = linesFieldOf("The command of the letter, which begins with: referee seal, or referee sign");
  const move = fieldOf("Your move, or another line to sign", { maxlength: "100", autocapitalize: "none" });
  const signer = signerOf();
  const answer = answerOf();
  const shelf = element("ul", { class: "seals" });
  const warning = element("p", { class: "fault", role: "status" });

  const keep = async (change) => {
    const done = await memory.change(SEALS, change);
    warning.textContent = done ? "" : "This browser keeps nothing: save or print the line that reveals your move.";
    await list();
  };

  const line = (text) =>
    element("div", { class: "line" }, element("code", { class: "said" }, text), buttonOf("Copy", () => copied(text)));

  const asText = (one) =>
    `${one.game}, ply ${one.ply}, ${one.side}\nsent:     ${one.seal}\nto reveal: ${one.reveal}\n`;

  const list = async () =>
    shelf.replaceChildren(
      ...(await memory.recall(SEALS)).map((one) => {
        const hidden = element("div", { hidden: "" }, line(one.reveal));
        return element(
          "li",
          {},
          element("p", {}, `${one.game}, ply ${one.ply}, ${one.side}`),
          line(one.seal),
          hidden,
          element(
            "div",
            { class: "buttons" },
            buttonOf("Reveal", () => (hidden.hidden = false)),
            buttonOf("Save as text", () => saveAs(`${one.game}-${one.ply}.txt`, "text/plain", asText(one))),
            buttonOf("Forget", () => keep((seals) => seals.filter(({ reveal }) => reveal !== one.reveal))),
          ),
        );
      }),
    );

  /** The seat in the command; a move in it goes into the field if that is empty. */
  const seatOf = async () => {
    const { seat, move: said } = await ask("seat", { command: command.input.value });
    move.input.value ||= said;
    return seat;
  };

  const seal = async () => {
    const seat = await seatOf();
    const found = await ask("seal", { ...seat, move: move.input.value, nonce: drawn() });
    const [sealed, revealed] = await signer.sign(found.signable);
    const whole = (said, signature) => (signature ? `${said}\n${signature}` : said);
    const one = {
      game: seat.game,
      ply: seat.ply,
      side: seat.side,
      seal: whole(found.seal, sealed),
      reveal: whole(found.reveal, revealed),
    };
    await keep((seals) => [one, ...seals]);
    move.input.value = "";
    return [
      element("p", {}, `Sealed: ${found.move}. Send this, and nothing else:`),
      line(one.seal),
      element("p", {}, "Keep this to yourself until you are asked for it. It is the only way to reveal your move:"),
      line(one.reveal),
      element(
        "div",
        { class: "buttons" },
        buttonOf("Save as text", () => saveAs(`${one.game}-${one.ply}.txt`, "text/plain", asText(one))),
        buttonOf("Print", () => print()),
      ),
    ];
  };

  const sign = async () => {
    const seat = await seatOf();
    const found = await ask("sign", { ...seat, line: move.input.value });
    const [signature] = await signer.sign([found.text]);
    if (!signature) return [element("p", {}, "Choose the file of your key first.")];
    return [element("p", {}, "Send both lines:"), line(`${found.line}\n${signature}`)];
  };

  const panel = element(
    "section",
    {},
    element("h2", {}, "Seal or sign a move"),
    element(
      "p",
      {},
      "A seal binds you to a move and tells nothing about it. It is for a desk by e-mail: each of its letters shows " +
        "the command for its ply. The chance in it is drawn here, and never leaves this device. A seat with a key signs " +
        "what it does: moves, seals, and lines such as resign. The key is read from its file each time, and kept nowhere.",
    ),
    command.root,
    move.root,
    signer.root,
    element(
      "div",
      { class: "buttons" },
      buttonOf("Seal it", () => answer.wait(seal)),
      buttonOf("Sign it", () => answer.wait(sign)),
    ),
    answer.root,
    element("h3", {}, "Sealed moves kept in this browser"),
    warning,
    shelf,
  );
  list();
  return {
    id: "seal",
    title: "Seal",
    panel,
    /** Takes over a move that was chosen on the board. */
    take(text) {
      move.input.value = text;
      command.input.focus();
    },
  };
};
