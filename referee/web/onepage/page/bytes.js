// Bytes as text.

export const toBase64 = (bytes) => {
  let signs = "";
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs);
};

export const fromBase64 = (text) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
};

/** The form of base64 that an address can hold. */
export const toAddress = (bytes) => toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

export const fromAddress = (text) => fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
