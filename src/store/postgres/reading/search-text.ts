import { decodedBytes } from '../../../core/search-text.ts';

/** Larger bodies are looked at themselves: their trigrams would hold up all others. */
const INDEXED_BODY_MAX_BYTES = 1024 * 1024;

/**
 * What the index holds of a body, or null when the body is to be looked at: too
 * large, or not UTF-8 (random bytes have as many trigrams as bytes). Only U+FFFD
 * tells that decoding lost something.
 */
export function indexedText(body: Uint8Array): string | null {
  if (body.length > INDEXED_BODY_MAX_BYTES) return null;
  const received = textOf(body);
  if (received.includes('\ufffd')) return null;
  const decoded = decodedBytes(body);
  return sievable(decoded === null ? received : `${received}\n${textOf(decoded)}`);
}

/** Well-formed, with U+FFFD for bytes that aren't UTF-8. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** A LIKE pattern for texts that hold `q`, taken literally. */
export function likePattern(q: string): string {
  return `%${sievable(q).replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * Text and pattern alike, so that whatever holds the query still passes: text
 * can't hold NUL; and trigrams are folded to lower case, which of all letters
 * Σ is by what stands beside it.
 */
function sievable(text: string): string {
  return text.replaceAll('\0', '\ufffd').replaceAll('Σ', 'σ');
}
