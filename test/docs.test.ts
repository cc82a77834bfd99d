import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/cli/program.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../src/core/settings/destination-settings.ts';
import { DEFAULT_ENDPOINT_SETTINGS } from '../src/core/settings/endpoint-settings.ts';
import { STATUS } from '../src/ingress/error-response.ts';

/*
 * Checks README and docs/: their sizes and links. They must name every option, command
 * and error code of the program, and no others.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_README_LINES = 250;
const MAX_README_BYTES = 16 * 1024;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

/** A page without its code blocks. */
const prose = (text: string) => text.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, '');
const withoutCode = (text: string) => prose(text).replace(/`[^`\n]*`/g, '');

/** Targets of links and pictures. */
function targetsIn(text: string): string[] {
  const found = withoutCode(text).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g);
  return [...found].map(([, link, source]) => (link ?? source) as string);
}

const isExternal = (target: string) => /^[a-z]+:/.test(target);

/** The file and the anchor that a link on a page leads to, from the project's root. */
function resolved(page: string, target: string): { path: string; anchor: string } {
  const [path = '', anchor = ''] = target.split('#');
  return { path: path ? posix.join(dirname(page), path) : page, anchor };
}

/** The anchors of a page's headings, as GitHub, GitLab and Gitea make them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(text).matchAll(/^#+ (.+)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let anchor = slug;
    for (let i = 1; anchors.has(anchor); i++) anchor = `${slug}-${i}`;
    anchors.add(anchor);
  }
  return anchors;
}

test('README has the size of a short read', () => {
  const readme = read('README.md');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(MAX_README_BYTES);
  expect(readme).toMatch(/^npm test$/m);
});

describe.each(PAGES)('%s', (page) => {
  const text = read(page);
  const targets = targetsIn(text);

  test('begins with its title', () => {
    expect(text).toMatch(/^# \S.*\n\n/);
  });

  test('links to existing pages, headings and pictures', () => {
    for (const target of targets.filter((one) => !isExternal(one))) {
      const { path, anchor } = resolved(page, target);
      expect(existsSync(join(ROOT, path)), target).toBe(true);
      if (anchor) expect([...anchorsOf(read(path))], target).toContain(anchor);
    }
  });

  test('links to other sites by https only', () => {
    for (const target of targets.filter(isExternal)) {
      expect(URL.parse(target)?.protocol, target).toBe('https:');
    }
  });
});

test('the test finds links, including broken ones', () => {
  expect(PAGES.flatMap((page) => targetsIn(read(page))).length).toBeGreaterThan(100);
  expect(targetsIn('[a](b.md#c) `[no](no)` <img src="d.png">')).toEqual(['b.md#c', 'd.png']);
  expect([...anchorsOf('# The `page`, its (two) parts\n## A\n## A\n')]).toEqual([
    'the-page-its-two-parts',
    'a',
    'a-1',
  ]);
});

test('every page can be reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const page of reached) {
    for (const target of targetsIn(read(page)).filter((one) => !isExternal(one))) {
      const { path } = resolved(page, target);
      if (path.endsWith('.md')) reached.add(path);
    }
  }
  expect([...reached].sort()).toEqual(PAGES);
});

/* Pictures aren't packed: they have half a megabyte, and a terminal can't show them. */
test('the npm package has every page', () => {
  const { files }: { files: string[] } = JSON.parse(read('package.json'));
  const isPacked = (path: string) =>
    // npm always packs the README.
    path === 'README.md' || files.some((one) => path === one || path.startsWith(`${one}/`));
  expect(PAGES.filter((page) => !isPacked(page))).toEqual([]);
});

const program = createProgram();
const all = (from: CommandUnknownOpts): CommandUnknownOpts[] => [
  from,
  ...from.commands.flatMap(all),
];
const pathOf = (command: CommandUnknownOpts): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
const leaves = all(program).filter(({ commands }) => commands.length === 0);

test('pages name only existing files', () => {
  const files = globSync(['*.*', '{src,test,bin,migrations}/**/*.*'], { cwd: ROOT });
  const named = PAGES.flatMap((page) =>
    [...prose(read(page)).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|sql))`/g)].map(
      ([, path]) => `${page}: ${path}`,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  const isFile = (path = '') => files.some((file) => `/${file}`.endsWith(`/${path}`));
  expect(named.filter((line) => !isFile(line.split(': ')[1]))).toEqual([]);
});

test('configuration.md has every flag of serve beside its variable', () => {
  const serve = leaves.find((command) => command.name() === 'serve') as CommandUnknownOpts;
  const lines = read('docs/configuration.md').split('\n');
  expect(serve.options.length).toBeGreaterThan(30);
  for (const { long, envVar } of serve.options) {
    const variable = envVar ? `\`${envVar}\`` : '–';
    const row = lines.find((line) => line.startsWith(`| \`${long}\` | ${variable} |`));
    expect(row, `${long} ${variable}`).toBeDefined();
  }
});

test('cli.md has every command', () => {
  const page = read('docs/cli.md');
  const missing = leaves.map(pathOf).filter((path) => {
    const words = path.replace('hookrelay ', '');
    return !new RegExp(`\`(hookrelay )?${words}\\b`).test(page);
  });
  expect(leaves.length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});

/** Commands on a page: inline, after a prompt, or in a block of shell commands. */
function commandsIn(text: string): string[] {
  const inline = [...prose(text).matchAll(/`hookrelay ([^`\n]+)`/g)];
  const prompted = [...text.matchAll(/^\$ (?:.*[ (])?hookrelay ([a-z].*)$/gm)];
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('');
  const shell = [...blocks.matchAll(/^(?:.*-u hookrelay )?hookrelay ([a-z-].*)$/gm)];
  return [...inline, ...prompted, ...shell].map(([, words]) => words as string);
}

test('pages name existing commands and flags', () => {
  let flagCount = 0;
  for (const page of PAGES) {
    for (const line of commandsIn(read(page))) {
      let command: CommandUnknownOpts = program;
      for (const word of line.split(' ')) {
        const next = command.commands.find((one) => one.name() === word);
        if (!next) break;
        command = next;
      }
      // Skips flags and placeholders.
      if (/^(?:-|COMMAND)/.test(line)) continue;
      expect(command.parent, `${page}: hookrelay ${line}`).not.toBeNull();
      const flags = line.split(/[#|>]/)[0]?.match(/(?<=\s)--[a-z-]+/g) ?? [];
      for (const flag of flags) {
        flagCount++;
        const known = command.options.map(({ long }) => long);
        expect([...known, '--help'], `${page}: hookrelay ${line}`).toContain(flag);
      }
    }
  }
  expect(flagCount).toBeGreaterThan(30);
});

/** The only source that contains a text. */
function sourceWith(text: string): string {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).map(read);
  const found = sources.filter((source) => source.includes(text));
  expect(found.length, text).toBe(1);
  return found[0] as string;
}

function codesOf(type: string): string[] {
  const start = `type ${type} =`;
  const union = sourceWith(start).split(start)[1]?.split(';')[0] ?? '';
  return [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code as string);
}

/** The codes in the first column of the tables below a heading, with the column after it. */
function rowsBelow(heading: string): Map<string, string> {
  const section = read('docs/api.md').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `(\w+)` \| ([^|]*?) \|/gm)];
  return new Map(rows.map(([, code = '', next = '']) => [code, next]));
}

/** Answers to malformed HTTP, which come before routing: code and status. */
function answersToClientErrors(): [code: string, status: string][] {
  const source = sourceWith('function clientErrorAnswer(');
  const answers = [...source.matchAll(/\[\s*'(\d{3}) [^']+',\s*'(\w+)'/g)];
  return answers.map(([, status = '', code = '']) => [code, status]);
}

test('api.md has every error code with its status', () => {
  const rows = rowsBelow('Error codes');
  const early = answersToClientErrors();
  expect(early.length).toBeGreaterThan(3);
  for (const [code, status] of early) expect([code, rows.get(code)]).toEqual([code, status]);
  const statuses = Object.entries(STATUS);
  for (const [code, status] of statuses) {
    expect([code, rows.get(code)]).toEqual([code, String(status)]);
  }
  const known = [...statuses, ...early].map(([code]) => code).concat(codesOf('LocalErrorCode'));
  expect([...rows.keys()].sort()).toEqual([...new Set(known)].sort());
});

test('api.md has every setting of a destination', () => {
  const rows = read('docs/api.md').matchAll(/^\| `(\w+)` \|/gm);
  const named = new Set([...rows].map(([, name]) => name));
  for (const name of Object.keys(DEFAULT_DESTINATION_SETTINGS)) expect(named).toContain(name);
});

test('api.md has every setting of an endpoint', () => {
  const [, section = ''] = read('docs/api.md').split('## Settings of an endpoint\n');
  const rows = section.split('\n## ')[0]?.matchAll(/^\| `(\w+)` \|/gm) ?? [];
  const named = [...rows].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(DEFAULT_ENDPOINT_SETTINGS).sort());
});

test('api.md has every error code of attempts', () => {
  const codes = codesOf('AttemptErrorCode');
  expect(codes.length).toBeGreaterThan(10);
  expect([...rowsBelow('Attempt error codes').keys()].sort()).toEqual(codes.sort());
});

test('examples show the schema of this version', () => {
  const newest = (backend: string) =>
    Math.max(...globSync(`migrations/${backend}/*.sql`, { cwd: ROOT }).map(numberIn));
  const shown = (page: string) =>
    [...read(page).matchAll(/(?:^ok {4}database +schema |^schema: +|schemas up to )(\d+)/gm)].map(
      ([, number]) => Number(number),
    );
  expect(shown('docs/clustering.md')).toEqual([newest('postgres')]);
  expect(shown('docs/cli.md')).toEqual([newest('sqlite'), newest('sqlite')]);
  expect(shown('docs/operations.md')).toEqual([newest('sqlite'), newest('sqlite')]);
});

/** The number of a migration's file. */
const numberIn = (path: string) => Number(/(\d{4})_[^/\\]+$/.exec(path)?.[1]);
