import { endOfBare, isTypedText } from '../../../core/text/rule-spelling.ts';
import { isJsonRule } from '../../text/rule-text.ts';

type TokenKind =
  | 'path'
  | 'name'
  | 'operator'
  | 'word'
  | 'text'
  | 'number'
  | 'literal'
  | 'bracket'
  | 'wrong';

interface RuleToken {
  kind: TokenKind;
  /** The offset of the first character. */
  from: number;
  /** The offset after the last character. */
  to: number;
}

/** The kind of token that may follow in a rule's text form. */
type ExpectedToken = 'path' | 'operator' | 'value' | 'list' | 'list value' | 'joint';

interface Scan {
  tokens: RuleToken[];
  expected: ExpectedToken;
  /** The path of the last condition; empty if no condition is open. */
  path: string;
}

const BLANKS = /\s+/y;
const PATH = /(?:"(?:[^"\\]|\\.)*"?|\[[^\]\s]*\]?|\$(?!=)|[^\s[\]=!<>~*?^$"'(),])+/y;
const OPERATOR = /!=|>=|<=|~=|\*=|\^=|\$=|[=<>?]|in(?=[\s(]|$)/iy;
const QUOTED = /"(?:[^"\\]|\\.)*"?|'[^']*'?/y;
const WORD = /(?:and|or)(?=[\s(]|$)/iy;
const NOT = /not(?=[\s(]|$)/iy;
const OTHER = /[^\s()]+|./sy;

/** Returns the tokens of a rule in either form, to colour them. The rule may be unfinished. */
export function ruleTokens(text: string): RuleToken[] {
  return isJsonRule(text) ? jsonTokens(text) : scanText(text).tokens;
}

/**
 * Returns the tokens of a rule in the text form, and what may follow. The rule may be unfinished.
 */
export function scanText(text: string): Scan {
  const tokens: RuleToken[] = [];
  let at = 0;
  let expected: ExpectedToken = 'path';
  let path = '';
  const take = (pattern: RegExp, kind: TokenKind, next: ExpectedToken): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (!found) return false;
    tokens.push({ kind, from: at, to: at + found.length });
    at += found.length;
    expected = next;
    return true;
  };
  const bracket = (sign: string, next: ExpectedToken): boolean => {
    if (text[at] !== sign) return false;
    tokens.push({ kind: 'bracket', from: at, to: ++at });
    expected = next;
    return true;
  };
  const bare = (separator: string, next: ExpectedToken) => {
    const from = at;
    at = endOfBare(text, from, separator);
    const value = text.slice(from, at);
    const before = tokens.at(-1);
    const sign = before?.kind === 'operator' ? text.slice(before.from, before.to) : '';
    const isTyped = isTypedText(value, /^\w*/.exec(path)?.[0] ?? '', sign);
    const kind = !isTyped ? 'text' : /^[a-z]/.test(value) ? 'literal' : 'number';
    if (at > from) tokens.push({ kind, from, to: at });
    else take(OTHER, 'wrong', next);
    expected = next;
  };
  while (at < text.length) {
    BLANKS.lastIndex = at;
    at += BLANKS.exec(text)?.[0].length ?? 0;
    if (at >= text.length) break;
    switch (expected as ExpectedToken) {
      case 'path':
        path = '';
        if (bracket('(', 'path') || bracket(')', 'joint')) break;
        if (take(NOT, 'word', 'path') || take(WORD, 'wrong', 'path')) break;
        if (take(PATH, 'path', 'operator')) path = text.slice(tokens.at(-1)?.from, at);
        else take(OTHER, 'wrong', 'path');
        break;
      case 'operator':
        if (text[at] === '?') take(OPERATOR, 'operator', 'joint');
        else if (/[iI]/.test(text[at] as string)) {
          if (!take(OPERATOR, 'operator', 'list')) take(OTHER, 'wrong', 'operator');
        } else if (!take(OPERATOR, 'operator', 'value')) take(OTHER, 'wrong', 'operator');
        break;
      case 'value':
        if (!take(QUOTED, 'text', 'joint')) bare('', 'joint');
        break;
      case 'list':
        if (!bracket('(', 'list value')) take(OTHER, 'wrong', 'list');
        break;
      case 'list value':
        if (bracket(')', 'joint') || bracket(',', 'list value')) break;
        if (!take(QUOTED, 'text', 'list value')) bare(',', 'list value');
        break;
      case 'joint':
        path = '';
        if (bracket(')', 'joint') || take(WORD, 'word', 'path')) break;
        take(OTHER, 'wrong', 'joint');
        break;
    }
  }
  return { tokens, expected, path };
}

const COLON = /\s*:/y;
const JSON_TOKEN =
  /("(?:[^"\\\n]|\\.)*"?)|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|([{}[\],:])|([^\s{}[\],:"]+)/g;

function jsonTokens(text: string): RuleToken[] {
  return [...text.matchAll(JSON_TOKEN)].map(
    ({ index: from, 0: all, 1: quoted, 2: number, 3: literal, 4: bracket }): RuleToken => {
      if (quoted === undefined) {
        const kind = number ? 'number' : literal ? 'literal' : bracket ? 'bracket' : 'wrong';
        return { kind, from, to: from + all.length };
      }
      const to = from + quoted.length;
      COLON.lastIndex = to;
      if (!COLON.test(text)) return { kind: 'text', from, to };
      return { kind: quoted.startsWith('"$') ? 'operator' : 'name', from, to };
    },
  );
}
