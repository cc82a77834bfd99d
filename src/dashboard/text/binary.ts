/** Characters made at once: more arguments than this a call may not take. */
const CHUNK = 0x8000;

/** Each byte one character, so that places in the text are places in the bytes. */
export function binaryText(bytes: Uint8Array): string {
  // Not TextDecoder: to browsers, latin1 is windows-1252.
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

/** The bytes of which `binaryText` made it. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

export const base64 = (bytes: Uint8Array): string => btoa(binaryText(bytes));
