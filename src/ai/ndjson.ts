/** A JSON text's value; undefined for what is no JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * NDJSON, two or more JSON documents with one on each line, as one JSON array.
 * Null for other texts: a document is an object or an array, so that lines of
 * bare numbers stay a text.
 */
export function ndjsonArray(text: string): string | null {
  // The first line rules out most texts.
  if (!/^\s*[[{]/.test(text)) return null;
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  // Each by itself: between others, `1],[2` would pass too.
  const isNdjson =
    lines.length > 1 && lines.every((line) => /^[[{]/.test(line) && jsonValue(line) !== undefined);
  return isNdjson ? `[${lines.join(',')}]` : null;
}
