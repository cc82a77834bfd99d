import { isUtf8 } from 'node:buffer';

/** The length of one literal before its characters are escaped, characters. */
const PIECE = 72;
/** Matches a line, or a part of a line that is longer than a piece. */
const PIECES = new RegExp(`[^\\n]{0,${PIECE - 1}}\\n|[^\\n]{1,${PIECE}}`, 'gu');

/** A body as literals, one per line: text, or base64 if the body isn't UTF-8. */
export interface BodyLiterals {
  isBase64: boolean;
  literals: string[];
}

/**
 * @param escaped returns the escape of a character that isn't ASCII, such as `\u{1f600}`. Without
 * an escape, some characters end a line, and some reverse the text in an editor.
 */
export function bodyLiterals(body: Buffer, escaped: (codePoint: number) => string): BodyLiterals {
  const isBase64 = !isUtf8(body);
  const text = body.toString(isBase64 ? 'base64' : 'utf8');
  const pieces = text.match(PIECES) ?? [];
  return { isBase64, literals: pieces.map((piece) => literal(piece, escaped)) };
}

/** Returns a double-quoted literal. JavaScript, Python and Go all read JSON's escapes. */
function literal(text: string, escaped: (codePoint: number) => string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u{10ffff}]/gu, (character) =>
    escaped(character.codePointAt(0) as number),
  );
}

/** Returns the escape of one character in Go and Python: `\u00e9`, `\U0001f600`. */
export function longEscape(codePoint: number): string {
  const digits = codePoint.toString(16);
  return codePoint > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}
