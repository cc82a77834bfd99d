import { otherReadings } from '../../shared/search/search-text.ts';

/**
 * The size of the largest body that is indexed, bytes. The trigrams of a larger body would delay
 * the indexing of other events.
 */
const INDEXED_BODY_MAX_BYTES = 1024 * 1024;

/**
 * Returns the text that the index holds for a body: the body as received, and its other readings
 * (`otherReadings`). Returns null if searches must read the body itself, because the body is too
 * large or isn't UTF-8 (random bytes have as many trigrams as bytes). A body that contains U+FFFD
 * counts as not UTF-8, because decoding turns invalid bytes into U+FFFD.
 */
export function indexedText(body: Uint8Array, contentType: string | null): string | null {
  if (body.length > INDEXED_BODY_MAX_BYTES) return null;
  const received = textOf(body);
  if (received.includes('\ufffd')) return null;
  return sievable([received, ...otherReadings(body, contentType).map(textOf)].join('\n'));
}

/** Returns the bytes as well-formed text. Bytes that aren't UTF-8 become U+FFFD. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** Returns a LIKE pattern that matches texts that contain `q` literally. */
export function likePattern(q: string): string {
  return `%${sievable(q).replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * Normalizes a text or a pattern. Both need the same form, so that a search misses no body that
 * contains the query. NUL is replaced, because PostgreSQL's text can't hold it. Σ is replaced,
 * because PostgreSQL's trigrams are lower case, and Σ is the only letter whose lower case depends
 * on its neighbours.
 */
function sievable(text: string): string {
  return text.replaceAll('\0', '\ufffd').replaceAll('Σ', 'σ');
}
