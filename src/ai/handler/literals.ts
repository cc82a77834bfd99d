import { isUtf8 } from 'node:buffer';

/** Characters of one literal, before escapes: a line of the test. */
const PIECE = 72;

/** A body as literals of one line each: text, or base64 where it isn't UTF-8. */
export interface BodyLiterals {
  isBase64: boolean;
  literals: string[];
}

/**
 * @param escaped writes one character that isn't ASCII, such as `\u{1f600}`. Some
 * of them end a line, and some reverse it in an editor.
 */
export function bodyLiterals(body: Buffer, escaped: (codePoint: number) => string): BodyLiterals {
  const isBase64 = !isUtf8(body);
  const characters = [...body.toString(isBase64 ? 'base64' : 'utf8')];
  const literals: string[] = [];
  for (let i = 0; i < characters.length; i += PIECE) {
    literals.push(literal(characters.slice(i, i + PIECE).join(''), escaped));
  }
  return { isBase64, literals };
}

/** A double-quoted literal. JavaScript, Python and Go read JSON's escapes. */
function literal(text: string, escaped: (codePoint: number) => string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u{10ffff}]/gu, (character) =>
    escaped(character.codePointAt(0) as number),
  );
}
