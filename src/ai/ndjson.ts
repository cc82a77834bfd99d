/** Returns the value of a JSON text, or undefined if the text isn't JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the documents of an NDJSON text as the text of one JSON array, or null if the text isn't
 * NDJSON. NDJSON has two or more documents, one per line. Each document must be an object or an
 * array, because lines of bare numbers are plain text.
 */
export function ndjsonArray(text: string): string | null {
  // Most texts fail here, so they aren't split into lines.
  if (!/^\s*[[{]/.test(text)) return null;
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  // Each line is parsed alone. Joined with commas, the invalid lines `1]` and `[2` would be valid
  // together.
  const isNdjson =
    lines.length > 1 && lines.every((line) => /^[[{]/.test(line) && jsonValue(line) !== undefined);
  return isNdjson ? `[${lines.join(',')}]` : null;
}
