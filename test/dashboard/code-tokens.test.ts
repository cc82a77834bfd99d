import { expect, test } from 'vitest';
import { codeLanguage } from '../../src/dashboard/parts/code/code-language.ts';
import { tokensOf } from '../../src/dashboard/parts/code/code-tokens.ts';

const CODE = {
  typescript: "import { a } from 'b';\n// a note\nexport const n: number = 12;\n",
  javascript: 'const text = `a b c`; /* d */ return null;\n',
  python: 'import os\n\ndef f(a: str) -> bool:\n\t"""A text."""\n\treturn a == \'b\'  # a note\n',
  go: 'package main\n\nfunc main() {\n\tx := `raw`\n\t// a note\n\treturn\n}\n',
  json: '{"a": [1, "two", true, null]}\n',
} as const;

test('tokens are the code, whole and in order', () => {
  for (const [language, code] of Object.entries(CODE)) {
    const tokens = tokensOf(code, language as keyof typeof CODE);
    expect(tokens.map(({ text }) => text).join('')).toBe(code);
    expect(new Set(tokens.map(({ kind }) => kind)).size).toBeGreaterThan(1);
  }
  const kindOf = (code: string, language: keyof typeof CODE, text: string) =>
    tokensOf(code, language).find((token) => token.text.includes(text))?.kind;
  expect(kindOf(CODE.python, 'python', 'import')).toBe('keyword');
  expect(kindOf(CODE.python, 'python', 'a note')).toBe('comment');
  expect(kindOf(CODE.go, 'go', 'func')).toBe('keyword');
  expect(kindOf(CODE.typescript, 'typescript', 'a note')).toBe('comment');
});

test('a language is known by its name or by a file', () => {
  expect(codeLanguage('Python')).toBe('python');
  expect(codeLanguage('push_handler.go')).toBe('go');
  expect(codeLanguage('curl')).toBeNull();
  expect(codeLanguage('constructor')).toBeNull();
});
