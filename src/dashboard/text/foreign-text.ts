/**
 * Invisible characters that change how a text looks, such as control characters, changes of
 * direction and characters of zero width. Emoji need variation selectors, so these aren't hidden.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0|[\ufff0-\uffff]|\p{Cs}/u;

/** A joiner that a script or an emoji needs. Elsewhere, a joiner is only an invisible character. */
const NEEDED_JOINER =
  /(?<=\ufe0f|[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]/u;

/** A text of only visible ASCII characters. */
const PLAIN = /^[ -~]+$/;

const PARTS = new RegExp(`${NEEDED_JOINER.source}|(${HIDDEN.source})`, 'gu');

/** Visible text, or the escape of one hidden character. */
interface ForeignPart {
  text: string;
  isEscape: boolean;
}

const escapeOf = (character: string): string => {
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex}`;
};

/**
 * Splits a sender's text, or a chosen name, into visible text and escapes of hidden characters.
 *
 * @param kept hidden characters that aren't escaped, such as `\n\t` in a block of text
 */
export function foreignParts(text: string, kept = ''): ForeignPart[] {
  // Fast path: a scrolling list draws thousands of texts, and few of these have hidden characters.
  if (PLAIN.test(text)) return [{ text, isEscape: false }];
  const parts: ForeignPart[] = [];
  let from = 0;
  for (const { 0: all, 1: hidden, index } of text.matchAll(PARTS)) {
    if (hidden === undefined || kept.includes(hidden)) continue;
    if (index > from) parts.push({ text: text.slice(from, index), isEscape: false });
    parts.push({ text: escapeOf(hidden), isEscape: true });
    from = index + all.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isEscape: false });
  return parts;
}

/**
 * Returns a text with escapes, for attributes and titles. Isolates text that runs from right to
 * left. Otherwise it could reorder the text around it.
 */
export function isolated(text: string): string {
  const shown = foreignParts(text)
    .map((part) => part.text)
    .join('');
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    shown,
  )
    ? `\u2068${shown}\u2069`
    : shown;
}
