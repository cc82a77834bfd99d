import { otherReadings } from '../../shared/search/search-text.ts';

/**
 * The size of the largest indexed body, bytes. The trigrams of a larger body would delay the
 * indexing of other events.
 */
const INDEXED_BODY_MAX_BYTES = 1024 * 1024;

/**
 * Returns the indexed text of a body: the received body and its `otherReadings`. Returns null if
 * searches must read the body itself, because it is too large or isn't UTF-8. Random bytes have as
 * many trigrams as bytes. A body that contains U+FFFD counts as not UTF-8, because the decoder
 * replaces invalid bytes by U+FFFD.
 */
export function indexedText(body: Uint8Array, contentType: string | null): string | null {
  if (body.length > INDEXED_BODY_MAX_BYTES) return null;
  const received = textOf(body);
  if (received.includes('\ufffd')) return null;
  return sievable([received, ...otherReadings(body, contentType).map(textOf)].join('\n'));
}

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** Returns a LIKE pattern for texts that contain `q` literally. */
export function likePattern(q: string): string {
  return `%${sievable(q).replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * Normalizes a text or a pattern. Both need the same form, otherwise a search could miss a body
 * that contains the query. NUL is replaced, because PostgreSQL's text can't contain it. Σ is
 * replaced, because trigrams are lower case, and only the lower case of Σ depends on its
 * neighbours.
 */
function sievable(text: string): string {
  return text.replaceAll('\0', '\ufffd').replaceAll('Σ', 'σ');
}
