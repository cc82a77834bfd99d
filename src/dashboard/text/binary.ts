/** Most characters of one call: engines limit the arguments. */
const CHUNK = 0x8000;

/** A text with one character per byte: offsets in the text are offsets in the bytes. */
export function binaryText(bytes: Uint8Array): string {
  // TextDecoder would decode latin1 as windows-1252.
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

/** The inverse of `binaryText`. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export const base64 = (bytes: Uint8Array): string => btoa(binaryText(bytes));
