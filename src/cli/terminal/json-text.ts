/*
 * JSON as text, never parsed: numbers and duplicate keys stay exact (`1.0`,
 * `12345678901234567890`), and deep nesting overflows no stack. The text should
 * be valid JSON. Other text gives an undefined result, but never throws.
 */

const INDENT = '  ';
/** Deepest level with lines of its own. A million brackets would fill the memory. */
const DEEPEST_INDENT = 32;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const STRUCTURE = new Set(['{', '}', '[', ']', ',', ':']);
const BLANKS = new Set([' ', '\t', '\n', '\r']);

/** The same JSON, one member or item per line. */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  const newline = () => {
    if (depth <= DEEPEST_INDENT) parts.push(`\n${INDENT.repeat(depth)}`);
  };
  let previous = '';
  forEachToken(text, (start, end) => {
    const token = text.slice(start, end);
    const opened = previous === '{' || previous === '[';
    if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      if (!opened) newline();
    } else if (opened || previous === ',') {
      newline();
    }
    parts.push(token);
    if (token === ':') parts.push(' ');
    if (token === '{' || token === '[') depth++;
    previous = token;
    return true;
  });
  return parts.join('');
}

/** The exact text of an object's member; null without such a member. */
export function memberText(text: string, name: string): string | null {
  const key = JSON.stringify(name);
  let depth = 0;
  let isKey = false;
  let from = -1;
  let to = -1;
  forEachToken(text, (start, end) => {
    const token = end - start <= key.length ? text.slice(start, end) : '';
    if (from >= 0 && depth === 1 && (token === ',' || token === '}')) return false;
    if (from >= 0) to = end;
    else if (isKey && token === ':' && depth === 1) from = end;
    isKey = token === key && depth === 1;
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    return true;
  });
  return to > from ? text.slice(from, to).trim() : null;
}

/**
 * Where a member or an element begins, such as `body.items.0`: the last one with this
 * path. The text's beginning without such a path.
 */
export function memberPlace(text: string, path: string): number {
  /** Names of the open objects' members and indexes of the open arrays' elements. */
  const names: (string | number)[] = [];
  let found = 0;
  let isName = false;
  const note = (start: number) => {
    if (names.join('.') === path) found = start;
  };
  forEachToken(text, (start, end) => {
    const token = text.slice(start, end);
    const isElement = typeof names.at(-1) === 'number' && !isName;
    if (isElement && !/^[\]},:]$/.test(token)) note(start);
    if (isName && token.startsWith('"')) {
      names[names.length - 1] = nameIn(token);
      note(start);
    }
    isName = false;
    if (token === '{') {
      names.push('');
      isName = true;
    } else if (token === '[') names.push(0);
    else if (token === '}' || token === ']') names.pop();
    else if (token === ',') {
      const last = names.at(-1);
      isName = typeof last === 'string';
      if (typeof last === 'number') names[names.length - 1] = last + 1;
    }
    return true;
  });
  return found;
}

function nameIn(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}

/** Calls `visit` with the bounds of each token, until it returns false. */
function forEachToken(text: string, visit: (start: number, end: number) => boolean): void {
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (BLANKS.has(char)) {
      at++;
      continue;
    }
    const start = at;
    if (STRUCTURE.has(char)) at++;
    else if (char === '"') at = endOfString(text, at);
    else at = endOfScalar(text, at);
    if (!visit(start, at)) return;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

function endOfScalar(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const char = text[at] as string;
    if (STRUCTURE.has(char) || BLANKS.has(char) || char === '"') break;
    at++;
  }
  return at;
}
