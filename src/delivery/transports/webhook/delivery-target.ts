export interface DeliveryTarget {
  /** Scheme, host and port. */
  origin: string;
  /** The path and the query of the request line. Each character stands for one byte. */
  path: string;
}

/**
 * Returns the destination's URL with the event's path and query added. Both keep their captured
 * bytes: a `%zz` stays, and nothing is encoded twice. Returns null if the event's path leads out of
 * the destination's path.
 *
 * @param destinationUrl absolute and valid, as `checkDestinationUrl` returned it
 * @param subPath empty, or starting with `/`
 * @param query without its `?`
 */
export function deliveryTarget(
  destinationUrl: string,
  subPath: string,
  query: string,
): DeliveryTarget | null {
  const url = new URL(destinationUrl);
  let path = url.pathname;
  if (subPath !== '') {
    if (!subPath.startsWith('/') || escapes(subPath)) return null;
    if (path.endsWith('/')) path = path.slice(0, -1);
    path += sendable(subPath);
  }
  let search = url.search;
  if (query !== '') search += (search ? '&' : '?') + sendable(query);
  return { origin: url.origin, path: path + search };
}

/** Match a dot, a slash or a backslash that is percent-encoded once or more. */
const ENCODED_DOT = /%(?:25)*2e/gi;
const ENCODED_SEPARATOR = /%(?:25)*(?:2f|5c)/gi;

/**
 * Whether a receiver could read the path as one that leads out of its start. Receivers may decode
 * `%2e` or `%2f` (or `%252e`) first, treat a backslash as a slash, join `//`, or drop
 * `;parameters`. So each segment counts with the reading that leads up furthest.
 */
function escapes(path: string): boolean {
  if (!path.includes('..') && !path.includes('%')) return false;
  let depth = 0;
  for (const segment of path.replace(ENCODED_DOT, '.').split('/')) {
    const names = segment
      .replace(ENCODED_SEPARATOR, '/')
      .split(/[/\\]/)
      .map((name) => name.replace(/;.*$/, ''));
    const ups = names.filter((name) => name === '..').length;
    if (ups > 0) depth -= ups;
    else if (names.some((name) => name !== '' && name !== '.')) depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

const UNSENDABLE = /[^\x21-\x7e\x80-\xff]/gu;
const encoder = new TextEncoder();

/**
 * Percent-encodes characters that a request line can't have. Node's parser never accepts them, but
 * another program may have written the row. A line break would end the request line.
 */
function sendable(text: string): string {
  return text.replace(UNSENDABLE, (char) => {
    let encoded = '';
    for (const byte of encoder.encode(char)) {
      encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    }
    return encoded;
  });
}
