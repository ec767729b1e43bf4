// What the page of a seat asks of the desk. The key of the seat goes in the body of a request, never in an address.

/** A text as a sentence by itself. */
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/**
 * Asks the desk for a seat: `ask(name, said)` promises its answer, or fails with what is wrong, in a sentence.
 *
 * The error has the `code` with which the desk refuses; it has none if the desk cannot be reached.
 */
export const seatAt =
  (address, key) =>
  async (name, said = {}) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ ...(key === undefined ? {} : { key }), ...said });
    const answer = await fetch(`${address}/${name}`, { method: "POST", headers, body }).catch(() => null);
    const told = answer && (await answer.json().catch(() => null));
    if (!told) throw new Error("The desk cannot be reached now. Please try again.");
    if (!told.code) return told;
    const why = [sentence(told.message), ...(told.suggestions ?? []).map((one) => `For example: ${one}`)];
    throw Object.assign(new Error(why.join(" ")), { code: told.code });
  };
