// The parts of the page: each is deflated, and stands in the page as base64.

const fromBase64 = (text) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
};

/** Bytes through a stream that compresses or unpacks them, at most `most` of them. */
export const streamed = async (bytes, stream, most = Infinity) => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  let size = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    chunks.push(step.value);
    size += step.value.length;
    if (size > most) throw new Error("it unpacks to more than a game can be");
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
};

/** The content of a part. */
export const unpacked = (text) => streamed(fromBase64(text), new DecompressionStream("deflate"));

/** The files of a bundle, as `[name, content]`. */
export const filesOf = (bytes) =>
  Object.entries(JSON.parse(new TextDecoder().decode(bytes))).map(([name, content]) => [
    name,
    typeof content === "string" ? content : fromBase64(content.base64),
  ]);
