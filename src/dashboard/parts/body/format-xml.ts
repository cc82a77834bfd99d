export interface XmlToken {
  kind: 'mark' | 'name' | 'attribute' | 'value' | 'text' | 'note';
  text: string;
}

/** A line of formatted XML. Its tokens contain exactly the sender's characters. */
export interface XmlLine {
  depth: number;
  tokens: XmlToken[];
}

/** The longest text that is formatted, characters. Formatting takes some tens of milliseconds. */
export const LONGEST_XML = 1024 * 1024;
/** The deepest nesting that is formatted, levels. Deeper XML is an attack, and stays raw. */
const MOST_LEVELS = 2000;

const NAME = /[\p{L}_:][\p{L}\p{N}_:.\u00b7-]*/uy;
const ATTRIBUTE = /(\s+)([\p{L}_:][\p{L}\p{N}_:.\u00b7-]*)(\s*=\s*)("[^"<]*"|'[^'<]*')/uy;
const TAG_END = /\s*\/?>/y;
const TEXT = /[^<]+/y;

/** How markup that isn't an element begins and ends. */
const NOTES = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

const isBlank = (text: string) => /^\s*$/.test(text);

/**
 * Returns the lines of an XML text, one for each tag. Returns null if the text isn't well formed,
 * or is too long. An element that contains only text stays on one line. Drops only the blanks
 * between tags.
 *
 * Interprets nothing: no entities and no document type.
 */
export function formatXml(text: string): XmlLine[] | null {
  if (text.length > LONGEST_XML || !/^\s*</.test(text)) return null;
  const lines: XmlLine[] = [];
  const open: string[] = [];
  let at = 0;
  let elements = 0;
  /** The line of an opening tag that nothing follows yet. */
  let bare: XmlLine | null = null;

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const add = (tokens: XmlToken[]): XmlLine => {
    const line = { depth: open.length, tokens };
    lines.push(line);
    return line;
  };
  /**
   * Adds a text. A text that is an element's only content stays between the tags. Any other text
   * gets its own line.
   */
  const addText = (token: XmlToken) => {
    if (bare && text.startsWith('</', at)) bare.tokens.push(token);
    else if (!isBlank(token.text)) {
      add([{ ...token, text: token.text.trim() }]);
      bare = null;
    }
  };

  while (at < text.length) {
    if (text[at] !== '<') {
      const found = (take(TEXT) as RegExpExecArray)[0];
      if (open.length === 0 && !isBlank(found)) return null;
      addText({ kind: 'text', text: found });
      continue;
    }
    const note = NOTES.find(([begin]) => text.startsWith(begin, at));
    if (note || text.startsWith('<!DOCTYPE', at)) {
      const end = note ? text.indexOf(note[1], at + note[0].length) : doctypeEnd(text, at);
      if (end === -1) return null;
      const to = end + (note ? note[1].length : 1);
      const isData = note?.[0] === '<![CDATA[';
      const part = text.slice(at, to);
      at = to;
      if (isData) addText({ kind: 'text', text: part });
      else {
        add([{ kind: 'note', text: part }]);
        bare = null;
      }
      continue;
    }
    if (text.startsWith('</', at)) {
      at += 2;
      const name = take(NAME)?.[0];
      const end = take(/\s*>/y)?.[0];
      if (name === undefined || end === undefined || open.pop() !== name) return null;
      const tokens: XmlToken[] = [
        { kind: 'mark', text: '</' },
        { kind: 'name', text: name },
        { kind: 'mark', text: end.trim() },
      ];
      if (bare) bare.tokens.push(...tokens);
      else add(tokens);
      bare = null;
      continue;
    }
    at++;
    const name = take(NAME)?.[0];
    if (name === undefined || open.length === MOST_LEVELS) return null;
    if (open.length === 0 && elements++ > 0) return null;
    const tokens: XmlToken[] = [
      { kind: 'mark', text: '<' },
      { kind: 'name', text: name },
    ];
    for (let found = take(ATTRIBUTE); found; found = take(ATTRIBUTE)) {
      const [, , attribute = '', equals = '', value = ''] = found;
      tokens.push(
        { kind: 'mark', text: ' ' },
        { kind: 'attribute', text: attribute },
        { kind: 'mark', text: equals.trim() },
        { kind: 'value', text: value },
      );
    }
    const end = take(TAG_END)?.[0];
    if (end === undefined) return null;
    tokens.push({ kind: 'mark', text: end.trim() });
    const line = add(tokens);
    bare = null;
    if (end.includes('/')) continue;
    open.push(name);
    bare = line;
  }
  return open.length === 0 && elements === 1 ? lines : null;
}

/** Returns the end of a document type, whose declarations are in brackets; -1 if there is none. */
function doctypeEnd(text: string, at: number): number {
  const bracket = text.indexOf('[', at);
  const end = text.indexOf('>', at);
  if (bracket === -1 || end < bracket) return end;
  const close = text.indexOf(']', bracket);
  return close === -1 ? -1 : text.indexOf('>', close);
}

export const lineText = ({ depth, tokens }: XmlLine): string =>
  '  '.repeat(Math.min(depth, 40)) + tokens.map(({ text }) => text).join('');
