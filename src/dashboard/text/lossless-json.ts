/**
 * A JSON value with its place in the source text. Numbers keep their spelling
 * (`12345678901234567890`, `1.0`, `1e400`). Members keep their order and
 * duplicates.
 */
export interface JsonNode {
  kind: 'object' | 'array' | 'string' | 'number' | 'literal';
  /** Offset of the value's first character. */
  start: number;
  /** Offset after the value's last character. */
  end: number;
  /** The members of an object or an array; `key` is null in arrays. */
  members: JsonMember[];
}

export interface JsonMember {
  /** The name as written, with its quotes and escapes. */
  key: string | null;
  value: JsonNode;
}

const BLANK = /[\t\n\r ]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;

/**
 * Parses JSON that the server has checked; null for malformed text. The parser
 * doesn't recurse, because a sender may nest a million levels.
 */
export function parseLossless(text: string): JsonNode | null {
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return null;
    at = pattern.lastIndex;
    return found[0];
  };
  // A loop, because a pattern would need memory for each character of a long string.
  const string = (): string | null => {
    const start = at;
    if (text[at] !== '"') return null;
    for (;;) {
      const quote = text.indexOf('"', at + 1);
      if (quote === -1) return null;
      let escapes = 0;
      while (text[quote - 1 - escapes] === '\\') escapes++;
      at = quote;
      if (escapes % 2 === 0) break;
    }
    at++;
    return text.slice(start, at);
  };
  const open: JsonNode[] = [];
  let key: string | null = null;

  for (;;) {
    // A value begins, or an empty container ends.
    match(BLANK);
    const start = at;
    const first = text[at];
    let value: JsonNode | null = null;
    if (first === '{' || first === '[') {
      value = { kind: first === '{' ? 'object' : 'array', start, end: -1, members: [] };
      at++;
      const parent = open.at(-1);
      parent?.members.push({ key, value });
      open.push(value);
      match(BLANK);
      if (text[at] !== (first === '{' ? '}' : ']')) {
        key = null;
        if (first === '{') {
          key = string();
          match(BLANK);
          if (key === null || text[at++] !== ':') return null;
        }
        continue;
      }
    } else {
      const kind =
        first === '"'
          ? 'string'
          : first === 't' || first === 'f' || first === 'n'
            ? 'literal'
            : 'number';
      const found = kind === 'string' ? string() : match(kind === 'number' ? NUMBER : LITERAL);
      if (found === null) return null;
      value = { kind, start, end: at, members: [] };
      const parent = open.at(-1);
      if (!parent) {
        match(BLANK);
        return at === text.length ? value : null;
      }
      parent.members.push({ key, value });
    }
    // After a value, its container goes on or ends.
    for (;;) {
      const parent = open.at(-1) as JsonNode;
      match(BLANK);
      const next = text[at++];
      if (next === ',') {
        key = null;
        if (parent.kind === 'object') {
          match(BLANK);
          key = string();
          match(BLANK);
          if (key === null || text[at++] !== ':') return null;
        }
        break;
      }
      if (next !== (parent.kind === 'object' ? '}' : ']')) return null;
      parent.end = at;
      open.pop();
      if (open.length === 0) {
        match(BLANK);
        return at === text.length ? parent : null;
      }
    }
  }
}

/** The value of a JSON string; the text itself when it is malformed. */
export function stringValue(written: string): string {
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
}
