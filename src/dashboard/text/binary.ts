/** The largest number of characters in one call. Engines limit the number of arguments. */
const CHUNK = 0x8000;

/**
 * Returns a text with one character per byte. So an offset in the text is an offset in the bytes.
 */
export function binaryText(bytes: Uint8Array): string {
  // `TextDecoder` can't do this, because it decodes latin1 as windows-1252.
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

/** Returns the bytes of a text that `binaryText` made. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export const base64 = (bytes: Uint8Array): string => btoa(binaryText(bytes));
