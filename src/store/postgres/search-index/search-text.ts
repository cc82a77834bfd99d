import { otherReadings } from '../../shared/search/search-text.ts';

/** Largest indexed body, bytes. The trigrams of larger ones would delay the others. */
const INDEXED_BODY_MAX_BYTES = 1024 * 1024;

/**
 * Returns the text that the index holds for a body: as received, and its other readings
 * (`otherReadings`). Null if searches must read the body itself: it is too large, or not
 * UTF-8 (random bytes have as many trigrams as bytes). Decoding marks invalid bytes by
 * U+FFFD only.
 */
export function indexedText(body: Uint8Array, contentType: string | null): string | null {
  if (body.length > INDEXED_BODY_MAX_BYTES) return null;
  const received = textOf(body);
  if (received.includes('\ufffd')) return null;
  return sievable([received, ...otherReadings(body, contentType).map(textOf)].join('\n'));
}

/** Returns well-formed text, with U+FFFD for bytes that aren't UTF-8. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** A LIKE pattern for texts that contain `q` literally. */
export function likePattern(q: string): string {
  return `%${sievable(q).replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * Normalizes texts and patterns alike, so that searches miss no body that contains the query.
 * PostgreSQL's text can't hold NUL. Its trigrams are lower case, and Σ is the only letter
 * whose lower case depends on its neighbours.
 */
function sievable(text: string): string {
  return text.replaceAll('\0', '\ufffd').replaceAll('Σ', 'σ');
}
