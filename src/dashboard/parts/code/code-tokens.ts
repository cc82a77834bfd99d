import { type ParseOptions, tokenize } from 'sugar-high/core';
import * as go from 'sugar-high/lang/go';
import * as javascript from 'sugar-high/lang/javascript';
import * as json from 'sugar-high/lang/json';
import * as python from 'sugar-high/lang/python';
import * as typescript from 'sugar-high/lang/typescript';
import type { CodeLanguage } from './code-language.ts';

/** A run of code of one kind. Kind null has no colour. */
export interface CodeToken {
  kind: 'keyword' | 'string' | 'name' | 'comment' | null;
  text: string;
}

/** The kinds, indexed by the tokenizer's numbers. */
const KINDS: CodeToken['kind'][] = [
  null, // identifier
  'keyword',
  'string',
  'name', // class, number, literal
  'name', // property
  null, // entity
  null, // text in markup
  null, // sign
  'comment',
];

const OPTIONS = { go, javascript, json, python, typescript } as unknown as Record<
  CodeLanguage,
  ParseOptions
>;

/** Splits code into tokens. Together, the tokens contain all of the code. */
export function tokensOf(code: string, language: CodeLanguage): CodeToken[] {
  const tokens = tokenize(code, OPTIONS[language]).map(
    ([kind, text]): CodeToken => ({ kind: KINDS[kind] ?? null, text }),
  );
  const isWhole = tokens.map(({ text }) => text).join('') === code;
  return isWhole ? tokens : [{ kind: null, text: code }];
}
