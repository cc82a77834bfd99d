/** The longest stranger's text in an answer, characters. */
const MAX_VALUE = 120;

/**
 * Matches separators, controls and format characters, which could colour, reverse or hide text on a
 * terminal.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

/** Returns a stranger's text on one line, without control characters, cut to `max` characters. */
export function clean(text: string, max: number = MAX_VALUE): string {
  // Scans only a prefix. The factor 8 allows for characters of several code units.
  const line = text
    .slice(0, max * 8)
    .replace(INVISIBLE, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  const isCut = characters.length > max || text.length > max * 8;
  return isCut
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : line;
}

/** Returns a stranger's text in quotation marks. */
export function quoted(text: string, max?: number): string {
  return `"${clean(text, max).replaceAll('"', "'")}"`;
}

/** Writes a list: `a, b and c`. After `max` items, it counts the rest: `a, b and 7 more`. */
export function listed(names: readonly string[], max = 8): string {
  const more = names.length - max;
  const shown = more > 0 ? [...names.slice(0, max), `${more} more`] : names;
  // British English has no comma before `and`.
  return new Intl.ListFormat('en-GB').format(shown);
}

/** Writes a count: `1,234`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Writes a count with its noun: `1 commit`, `1,234 commits`, `2 deliveries`. */
export function counted(
  count: number,
  noun: string,
  plural: string = /[^aeiou]y$/.test(noun) ? noun.replace(/y$/, 'ies') : `${noun}s`,
): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Fills a template. Returns an empty text if a value is missing: `` opt` by ${name}` ``. */
export function opt(
  texts: TemplateStringsArray,
  ...values: (string | number | null | undefined)[]
): string {
  if (values.some((value) => value === null || value === undefined)) return '';
  return String.raw({ raw: texts }, ...values);
}
