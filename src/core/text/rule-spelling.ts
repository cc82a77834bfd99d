/* How a rule's text spells names and values. Shared by the rules and the page. */

/** Matches a name that needs no quotes in a path. */
export const BARE_NAME = /(?:[^\s.[\]=!<>~*?^$"'(),]|\$(?!=))+/y;
/** Matches a value that is read as JSON: a number, true, false or null. */
const TYPED = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
/** The signs after which an unquoted number is a number in any part of a request. */
const ORDER_SIGNS: ReadonlySet<string> = new Set(['>', '>=', '<', '<=']);

/** Returns a name as a path spells it. */
export function nameText(name: string): string {
  BARE_NAME.lastIndex = 0;
  // A `$` at the end would become part of the operator `$=`.
  const isBare = BARE_NAME.exec(name)?.[0] === name && !name.endsWith('$');
  return isBare ? name : JSON.stringify(name);
}

/** Returns whether an unquoted value after this root may be a number, true, false or null. */
export function isTypedRoot(root: string): boolean {
  return root === 'body' || root === 'size';
}

/**
 * Returns whether an unquoted text after this root and this sign is a number, true, false or null.
 * Headers, queries and forms are texts, but `>` compares amounts in them with numbers.
 */
export function isTypedText(text: string, root: string, sign = ''): boolean {
  if (!TYPED.test(text)) return false;
  return isTypedRoot(root) || (isOrderSign(sign) && !/^[a-z]/.test(text));
}

export function isOrderSign(sign: string): boolean {
  return ORDER_SIGNS.has(sign);
}

/**
 * Returns where an unquoted value ends: at a blank, the separator, or a `)` that it didn't open.
 */
export function endOfBare(text: string, at: number, separator: string): number {
  let open = 0;
  for (let end = at; end < text.length; end++) {
    const char = text[end] as string;
    if (/\s/.test(char) || (separator !== '' && char === separator)) return end;
    if (char === '(') open++;
    if (char === ')' && --open < 0) return end;
  }
  return text.length;
}
