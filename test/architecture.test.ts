import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/*
 * What `.dependency-cruiser.mjs`, which holds the layer law, and knip, which finds what nothing
 * uses, can't see.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const files = globSync(['*.ts', '{src,test}/**/*.{ts,tsx}'], { cwd: ROOT });
const textOf = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const sources = files.filter((file) => file.startsWith('src/'));

/** An import or a re-export of a file, which isn't of types only. */
const STATIC_IMPORT = /^(?:import|export) (?!type )[^';]*'(\.[^']*)';$/gm;

/** The files that a file loads at once, in a chain of imports: no types, no `import()`. */
function loadedBy(start: string): string[] {
  const loaded = new Set([start]);
  for (const file of loaded) {
    for (const [, path] of textOf(file).matchAll(STATIC_IMPORT)) {
      loaded.add(posix.join(posix.dirname(file), path as string));
    }
  }
  return [...loaded];
}

test('the command line starts without the regex engine of rules', () => {
  const loaded = loadedBy('src/cli/program.ts');
  expect(loaded).toContain('src/cli/rules/rules-command.ts');
  expect(loaded).not.toContain('src/core/rules/regex.ts');
});

test('the server starts its store without the other commands, and without what delivers', () => {
  const loaded = loadedBy('src/cli/main.ts');
  expect(loaded).toContain('src/cli/serve/serve-command.ts');
  expect(loaded).not.toContain('src/cli/program.ts');
  const loadUndici = loaded.filter((file) => textOf(file).includes("from 'undici'"));
  expect(loadUndici).toEqual([]);
});

test('comments name only existing files', () => {
  const named = sources.flatMap((file) =>
    [...textOf(file).matchAll(/^\s*(?:\*|\/\/|\/\*).*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/`(\w[\w./-]*\.tsx?)`/g)].map(([, path]) => [file, path]),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  const isFile = (path: string | undefined) =>
    files.some((file) => `/${file}`.endsWith(`/${path}`));
  expect(named.filter(([, path]) => !isFile(path))).toEqual([]);
});
