// The parts of the page: each is deflated, and in the page as base64.

import { fromBase64 } from "./bytes.js";

/** Bytes through a stream that compresses or unpacks them, at most `most` of them. */
export const streamed = async (bytes, stream, most = Infinity) => {
  // WebKit lets the worker of a page that was opened from disk read no Blob.
  const reader = new Response(bytes).body.pipeThrough(stream).getReader();
  const chunks = [];
  let size = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    chunks.push(step.value);
    size += step.value.length;
    if (size > most) throw new Error("it unpacks to more than a game can be");
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
};

/** The content of a part. */
export const unpacked = (text) => streamed(fromBase64(text), new DecompressionStream("deflate"));

/** The files of a bundle, as `[name, text]`. */
export const filesOf = (bytes) => Object.entries(JSON.parse(new TextDecoder().decode(bytes)));
