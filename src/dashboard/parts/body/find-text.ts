/** The places where a searched text occurs. */
export interface TextMatches {
  /** The offset of the first character of each match, ascending. */
  starts: Uint32Array<ArrayBuffer>;
  /** The offset after the last character of each match. */
  ends: Uint32Array<ArrayBuffer>;
  /** Whether the text has more matches than the list. */
  isCut: boolean;
}

/** The largest number of matches that a search lists. */
const MOST_FOUND = 100_000;

/** Characters that JSON text may escape with a backslash. */
const ESCAPABLE = /["/]/;

/**
 * Returns the pattern of a query. The pattern ignores case. It also matches the JSON escapes of a
 * character: `café` finds `caf\u00e9`. The event list's search matches the same texts.
 */
export function patternOf(query: string): RegExp {
  const units = Array.from(query.match(/\\+|[^\\]/gu) ?? [], (character) => {
    // A run of backslashes gets one quantifier. Several quantifiers would backtrack exponentially.
    if (character[0] === '\\') return `\\\\{${character.length},${2 * character.length}}`;
    const escaped = character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    if (ESCAPABLE.test(character)) return `\\\\?${escaped}`;
    if (/^[ -~]$/.test(character)) return escaped;
    const codes = Array.from({ length: character.length }, (_, i) =>
      character.charCodeAt(i).toString(16).padStart(4, '0'),
    );
    return `(?:${escaped}|${codes.map((hex) => `\\\\u${hex}`).join('')})`;
  });
  return new RegExp(units.join(''), 'giu');
}

/** Finds a query in a text. Matches don't overlap. */
export function findText(text: string, query: string): TextMatches {
  const starts: number[] = [];
  const ends: number[] = [];
  if (query !== '') {
    const pattern = patternOf(query);
    while (starts.length < MOST_FOUND) {
      const match = pattern.exec(text);
      if (!match) break;
      starts.push(match.index);
      ends.push(pattern.lastIndex);
    }
  }
  return {
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
    isCut: starts.length === MOST_FOUND,
  };
}

/** Returns how many of the ascending offsets are below a limit. */
export function countBelow(offsets: Uint32Array, limit: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
