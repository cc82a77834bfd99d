import { globSync, readFileSync } from 'node:fs';
import { basename, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/*
 * Checks the layer law of the design: imports point inward,
 * cli → server → api → ingress, accounts, capture, live, ai → providers, store contract → core.
 * Siblings on a floor never import each other.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Import {
  from: string;
  to: string;
  /** An import of types only, which doesn't exist at run time. */
  isType: boolean;
  /** An `import()`, which loads when it is reached. */
  isLazy?: boolean;
}

/** The files that a layer may import besides its own. A trailing / names a folder. */
interface Layer {
  files: string;
  imports: string[];
  /** Files that may be imported only by `import type`. */
  types?: string[];
}

/** Types of the API's answers and calls, shared by server and clients. */
const API_TYPES = ['src/api/answers/', 'src/api/client/'];
/** The path of a call, with its parameters: the same in all clients. */
const CALL_TARGET = 'src/api/client/call-target.ts';
/** Pure functions on texts, for all clients. */
const TEXT = 'src/core/text/';
/** What commands declare their arguments and flags with. */
const DECLARATIONS = ['src/cli/arguments.ts', 'src/cli/command-part.ts'];
/** Where bodies name the types of events. */
const BODY_TYPE = 'src/providers/body-type.ts';
/** The interface of all backends. Other layers call a backend only by it. */
const CONTRACT = 'src/store/contract/';

/** A file belongs to the first layer whose `files` match, so subfolders come before their folder. */
const LAYERS: Layer[] = [
  { files: 'src/core/', imports: [] },
  { files: 'src/config/config/', imports: ['src/core/'] },
  { files: 'src/config/config.ts', imports: ['src/core/', 'src/config/config/'] },
  // Types for the API's clients, including a browser.
  { files: 'src/api/answers/', imports: [], types: ['src/api/', 'src/core/model.ts'] },
  { files: 'src/api/client/', imports: [], types: ['src/api/'] },
  // The dashboard runs in a browser and uses only HTTP.
  { files: 'src/dashboard/', imports: [CALL_TARGET, TEXT], types: API_TYPES },

  { files: CONTRACT, imports: ['src/core/'] },
  // The types of events stand in bodies where their providers say.
  { files: 'src/store/shared/', imports: ['src/core/', BODY_TYPE], types: [CONTRACT] },
  ...['sqlite', 'postgres'].map(backend),
  {
    files: 'src/store/open.ts',
    imports: ['src/core/', 'src/store/sqlite/', 'src/store/postgres/'],
    types: [CONTRACT],
  },

  { files: 'src/live/', imports: ['src/core/'], types: [CONTRACT] },
  { files: 'src/providers/', imports: ['src/core/'] },
  { files: 'src/capture/', imports: ['src/core/', 'src/providers/'], types: [CONTRACT] },
  { files: 'src/delivery/network/', imports: ['src/core/'] },
  // A transport's folder knows a protocol; the files beside it say what all have in common.
  {
    files: 'src/delivery/transports/webhook/',
    imports: [
      'src/core/',
      // Attempts are signed as providers sign.
      'src/providers/',
      'src/delivery/network/',
      'src/delivery/transports/not-sent.ts',
    ],
    types: ['src/delivery/transports/transport.ts'],
  },
  {
    files: 'src/delivery/transports/',
    imports: ['src/core/', 'src/delivery/network/'],
    types: [CONTRACT],
  },
  // What hookrelay asks providers for goes out as deliveries do.
  {
    files: 'src/delivery/outbound/',
    imports: ['src/core/', 'src/delivery/network/', 'src/delivery/transports/webhook/'],
  },
  // No attempt knows its transport: retries and settlements are the same for all.
  {
    files: 'src/delivery/attempt/',
    imports: ['src/core/', 'src/delivery/transports/not-sent.ts'],
    types: [CONTRACT, 'src/delivery/transports/transport.ts'],
  },
  { files: 'src/delivery/schedule/', imports: ['src/core/'], types: [CONTRACT] },
  // Many types are named by bodies alone.
  {
    files: 'src/maintenance/types/',
    imports: ['src/core/', BODY_TYPE, 'src/maintenance/background-loop.ts'],
    types: [CONTRACT],
  },
  { files: 'src/maintenance/', imports: ['src/core/'], types: [CONTRACT] },
  { files: 'src/ai/', imports: ['src/core/', 'src/providers/'], types: [CONTRACT] },
  { files: 'src/accounts/', imports: ['src/core/'], types: [CONTRACT] },
  { files: 'src/ingress/', imports: ['src/core/', 'src/capture/'] },
  {
    files: 'src/api/',
    imports: [
      'src/core/',
      'src/accounts/',
      'src/capture/',
      'src/ingress/',
      'src/live/',
      'src/ai/',
      'src/providers/',
    ],
    types: [CONTRACT],
  },

  // Only these files and the local commands may open a store.
  {
    files: 'src/server/start-server.ts',
    imports: [
      'src/core/',
      'src/config/config.ts',
      'src/store/open.ts',
      'src/server/',
      'src/ingress/client-limits.ts',
    ],
    types: [CONTRACT],
  },
  {
    files: 'src/server/',
    imports: [
      'src/core/',
      'src/config/config.ts',
      'src/live/',
      'src/capture/',
      'src/delivery/',
      'src/maintenance/',
      'src/ai/',
      'src/accounts/',
      'src/ingress/',
      'src/api/',
    ],
    types: [CONTRACT],
  },

  { files: 'src/cli/terminal/terminal/', imports: ['src/core/', 'src/cli/command-error.ts'] },
  {
    files: 'src/cli/client/',
    imports: ['src/core/', 'src/cli/terminal/terminal/', ...DECLARATIONS, CALL_TARGET],
    types: API_TYPES,
  },
  {
    files: 'src/cli/events/',
    imports: ['src/core/', 'src/cli/terminal/terminal/', ...DECLARATIONS],
    types: API_TYPES,
  },
  {
    files: 'src/cli/stream/',
    imports: [
      'src/core/',
      'src/cli/client/',
      'src/cli/terminal/terminal/',
      'src/cli/events/',
      CALL_TARGET,
    ],
    types: API_TYPES,
  },
  {
    // Local commands open a store. The parts of a backend stay behind open.ts.
    files: 'src/cli/',
    imports: [
      'src/core/',
      'src/config/config.ts',
      'src/config/settings.ts',
      'src/server/serve.ts',
      'src/server/start-server.ts',
      'src/store/open.ts',
      'src/accounts/',
      'src/delivery/',
      'src/ingress/client-limits.ts',
      'src/providers/',
    ],
    types: [CONTRACT, ...API_TYPES, 'src/server/'],
  },
];

function backend(name: string): Layer {
  return {
    files: `src/store/${name}/`,
    imports: ['src/core/', 'src/store/shared/', BODY_TYPE],
    types: [CONTRACT],
  };
}

/** Files that may open a store: the server's start and the local commands. */
const STORE_OPENERS = ['src/server/start-server.ts', 'src/cli/'];

const FORBIDDEN_NAMES = ['utils', 'util', 'helpers', 'helper', 'lib', 'common', 'misc'];

function isIn(file: string, place: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place;
}

function layerOf(file: string): Layer | undefined {
  return LAYERS.find(({ files }) => isIn(file, files));
}

/** Why an import breaks the law, or null when it doesn't. */
function breach({ from, to, isType }: Import): string | null {
  const arrow = `${from} → ${to}${isType ? ' (type)' : ''}`;
  const layer = layerOf(from);
  if (!layer) return `${from} is in no layer: give it a line in design and test`;
  if (isIn(to, 'src/store/open.ts') && !STORE_OPENERS.some((place) => isIn(from, place))) {
    return `${arrow}: only start-server.ts and local commands open a store`;
  }
  if (isIn(to, layer.files) || layer.imports.some((place) => isIn(to, place))) return null;
  if (layer.types?.some((place) => isIn(to, place))) {
    return isType ? null : `${arrow}: ${layer.files} may import this by "import type" only`;
  }
  const allowed = [...layer.imports, ...(layer.types ?? []).map((type) => `${type} (types)`)];
  return `${arrow}: ${layer.files} may import ${allowed.join(', ') || 'nothing'} only`;
}

/** Folders that the providers share. Each other folder of `src/providers/` is one provider. */
const SHARED_ROOMS = [
  'describing',
  'fetched-keys',
  'handshaking',
  'own-sources',
  'reasons',
  'sampling',
  'signing',
  'tables',
];

function roomOf(file: string): string | null {
  const room = /^src\/providers\/([\w-]+)\//.exec(file)?.[1] ?? null;
  return room !== null && !SHARED_ROOMS.includes(room) ? room : null;
}

/** Whether a provider or a shared folder imports from another provider. Only the tables may. */
function isForeignRoom(from: string, to: string): boolean {
  const isInFolder = /^src\/providers\/[\w-]+\//.test(from);
  return isInFolder && roomOf(to) !== null && roomOf(to) !== roomOf(from);
}

/** The files that an import of `start` loads, including `start`, and those loaded lazily. */
function loadedBy(start: string, taken: readonly Import[] = imports): string[] {
  const loaded = new Set([start]);
  for (const file of loaded) {
    for (const { from, to, isType } of taken) if (from === file && !isType) loaded.add(to);
  }
  return [...loaded];
}

/** A cycle of imports as `a → b → a`; null without one. */
function findCycle(imports: readonly Import[]): string | null {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string | null => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file].join(' → ');
    if (finished.has(file)) return null;
    path.push(file);
    for (const { to } of targets.get(file) ?? []) {
      const cycle = visit(to);
      if (cycle) return cycle;
    }
    path.pop();
    finished.add(file);
    return null;
  };
  for (const file of targets.keys()) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return null;
}

interface Source {
  file: string;
  /** Path ends in backticks in comments, such as `api/app.ts`. */
  mentions: string[];
  imports: Import[];
  /** Whether the file has only re-exports. */
  isBarrel: boolean;
}

/** Parses a file: its imports of other files of the project, and its mentions. */
function parse(file: string, text: string): Source {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean, isLazy = false) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    if (!specifier.text.startsWith('.')) return;
    // The dashboard's build takes the file of a worker by its address.
    const to = posix.join(posix.dirname(file), specifier.text.replace(/\?worker&url$/, ''));
    imports.push({ from: file, to, isType, isLazy });
  };
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, isTypeClause(node.importClause));
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, true);
    }
    ts.forEachChild(node, walk);
  };
  walk(tree);
  const isBarrel =
    tree.statements.length > 0 &&
    tree.statements.every((node) => ts.isExportDeclaration(node) && node.moduleSpecifier);
  const comments = text.split('\n').filter((line) => /^\s*(\*|\/\/|\/\*)/.test(line));
  const mentions = comments.flatMap((line) =>
    [...line.matchAll(/`(\w[\w./-]*\.tsx?)`/g)].map(([, path]) => path as string),
  );
  return { file, mentions, imports, isBarrel };
}

function isTypeClause(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const names = clause.namedBindings;
  if (clause.name || !names || !ts.isNamedImports(names)) return false;
  return names.elements.length > 0 && names.elements.every((name) => name.isTypeOnly);
}

const sources = globSync('src/**/*.{ts,tsx,mts,js,mjs}', { cwd: ROOT })
  .map((file) => file.replaceAll(sep, '/'))
  .sort()
  .map((file) => parse(file, readFileSync(join(ROOT, file), 'utf8')));
const imports = sources.flatMap((source) => source.imports);

describe('src', () => {
  test('contains files', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(imports.length).toBeGreaterThan(10);
  });

  test('every file has a layer', () => {
    expect(sources.map(({ file }) => file).filter((file) => !layerOf(file))).toEqual([]);
  });

  test('follows the layer law in its imports', () => {
    expect(imports.map(breach).filter((text) => text !== null)).toEqual([]);
  });

  test('nothing outside cli imports cli', () => {
    const found = imports.filter(({ from, to }) => isIn(to, 'src/cli/') && !isIn(from, 'src/cli/'));
    expect(found).toEqual([]);
  });

  test('a provider imports no other provider', () => {
    expect(imports.filter(({ from, to }) => isForeignRoom(from, to))).toEqual([]);
  });

  test('capture loads no samples and no describers', () => {
    const loaded = loadedBy('src/capture/capture.ts');
    expect(loaded).toContain('src/providers/github/github.ts');
    const heavy = loaded.filter((file) => /\/(sampl|describ)[\w-]*(\/|\.ts$)/.test(file));
    expect(heavy).toEqual([]);
  });

  test('the command line starts without the regex engine of rules', () => {
    const engine = 'src/core/rules/regex.ts';
    const atOnce = imports.filter(({ isLazy }) => !isLazy);
    const loaded = loadedBy('src/cli/main.ts', atOnce);
    expect(loaded).toContain('src/cli/rules/rules-command.ts');
    expect(loaded).not.toContain(engine);
    expect(loadedBy('src/cli/main.ts')).toContain(engine);
  });

  test('the types of clients need no handler', () => {
    const all = imports.map((one) => ({ ...one, isType: false }));
    const needed = loadedBy('src/api/client/api.ts', all);
    expect(needed).toContain('src/api/endpoints/endpoint-calls.ts');
    expect(needed.filter((file) => file.endsWith('-routes.ts'))).toEqual([]);
  });

  test('has no cycles, not even of types', () => {
    expect(findCycle(imports)).toBeNull();
  });

  test('spells imports with .ts', () => {
    // The dashboard also imports components and styles.
    const ending = (from: string) =>
      from.startsWith('src/dashboard/') ? /\.(tsx?|css)$/ : /\.ts$/;
    expect(imports.filter(({ from, to }) => !ending(from).test(to))).toEqual([]);
  });

  test('has no barrels', () => {
    const found = sources.filter(({ file, isBarrel }) => isBarrel || /\/index\.\w+$/.test(file));
    expect(found.map(({ file }) => file)).toEqual([]);
  });

  test('names only existing files in comments', () => {
    const files = globSync(['*.ts', '{src,test}/**/*.{ts,tsx}'], { cwd: ROOT }).map(
      (file) => `/${file.replaceAll(sep, '/')}`,
    );
    const named = sources.flatMap(({ file, mentions }) => mentions.map((path) => [file, path]));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(([, path]) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual(
      [],
    );
  });

  test('has only folders and the configuration at its top', () => {
    const top = sources.map(({ file }) => file).filter((file) => file.split('/').length === 2);
    expect(top).toEqual(['src/config/config.ts']);
  });

  test('has no folder for unrelated things', () => {
    const found = sources.filter(({ file }) => {
      const names = [...file.split('/').slice(1, -1), basename(file).replace(/\.\w+$/, '')];
      return names.some((name) => FORBIDDEN_NAMES.includes(name));
    });
    expect(found.map(({ file }) => file)).toEqual([]);
  });
});

describe('the layer law', () => {
  const value = (from: string, to: string) => breach({ from, to, isType: false });
  const type = (from: string, to: string) => breach({ from, to, isType: true });

  test.each([
    ['src/core/ids.ts', 'src/config/config.ts'],
    ['src/config/config.ts', 'src/store/contract/store.ts'],
    ['src/store/contract/store.ts', 'src/store/sqlite/events/events.ts'],
    ['src/accounts/accounts.ts', 'src/api/route.ts'],
    ['src/ingress/front-door.ts', 'src/api/app.ts'],
    ['src/delivery/network/name-resolver.ts', 'src/delivery/schedule/scheduler.ts'],
    ['src/cli/terminal/table.ts', 'src/cli/client/api-client.ts'],
    ['src/capture/handler.ts', 'src/store/contract/events.ts'],
    ['src/store/sqlite/events/events.ts', 'src/store/postgres/events/events.ts'],
    ['src/store/sqlite/events/events.ts', 'src/store/contract/store.ts'],
    ['src/capture/handler.ts', 'src/store/contract/store.ts'],
    ['src/capture/handler.ts', 'src/delivery/schedule/scheduler.ts'],
    ['src/capture/handler.ts', 'src/live/live.ts'],
    ['src/delivery/schedule/scheduler.ts', 'src/store/sqlite/queue/queue.ts'],
    ['src/delivery/attempt/attempt-delivery.ts', 'src/delivery/transports/webhook/attempt.ts'],
    ['src/delivery/transports/webhook/attempt.ts', 'src/delivery/attempt/backoff.ts'],
    ['src/maintenance/retention.ts', 'src/store/open.ts'],
    ['src/api/app.ts', 'src/delivery/transports/webhook/destination-url.ts'],
    ['src/api/app.ts', 'src/store/contract/store.ts'],
    ['src/api/app.ts', 'src/config/config.ts'],
    ['src/api/app.ts', 'src/server/start-server.ts'],
    ['src/server/serve.ts', 'src/store/open.ts'],
    ['src/live/live.ts', 'src/server/metrics.ts'],
    ['src/server/serve.ts', 'src/cli/program.ts'],
    ['src/cli/data/backup-command.ts', 'src/store/sqlite/files/database.ts'],
    ['src/odd/thing.ts', 'src/core/ids.ts'],
    ['src/providers/samples.ts', 'src/delivery/schedule/scheduler.ts'],
    ['src/providers/github/describe.ts', 'src/ai/explain/notable.ts'],
    ['src/delivery/schedule/scheduler.ts', 'src/providers/providers.ts'],
    ['src/dashboard/app.tsx', 'src/core/model.ts'],
    ['src/server/compose-server.ts', 'src/dashboard/app.tsx'],
    ['src/server/compose-server.ts', 'src/store/open.ts'],
  ])('%s may not import %s', (from, to) => {
    expect(value(from, to)).toContain(from);
  });

  test.each([
    ['src/api/app.ts', 'src/delivery/schedule/scheduler.ts'],
    ['src/capture/handler.ts', 'src/store/sqlite/events/events.ts'],
    ['src/capture/handler.ts', 'src/store/open.ts'],
    ['src/ai/engine.ts', 'src/config/config.ts'],
  ])('%s may not even import types of %s', (from, to) => {
    expect(type(from, to)).toContain(`${from} → ${to}`);
  });

  test.each([
    ['src/store/sqlite/events/events.ts', 'src/store/sqlite/search/search-downwards.ts'],
    ['src/store/open.ts', 'src/store/sqlite/files/database.ts'],
    ['src/api/app.ts', 'src/capture/handler.ts'],
    ['src/server/start-server.ts', 'src/store/open.ts'],
    ['src/server/compose-server.ts', 'src/delivery/schedule/scheduler.ts'],
    ['src/cli/serve/serve-command.ts', 'src/server/serve.ts'],
    ['src/cli/data/backup-command.ts', 'src/store/open.ts'],
  ])('%s may import %s', (from, to) => {
    expect(value(from, to)).toBeNull();
  });

  test.each([
    'src/capture/handler.ts',
    'src/api/app.ts',
    'src/live/live.ts',
    'src/store/sqlite/queue/queue.ts',
  ])('%s may import types of the store contract', (from) => {
    for (const part of ['src/store/contract/store.ts', 'src/store/contract/events.ts']) {
      expect(type(from, part)).toBeNull();
    }
  });

  test('sees the rooms of providers', () => {
    const [slack, github] = ['src/providers/slack/describe.ts', 'src/providers/github/github.ts'];
    expect(isForeignRoom(slack, github)).toBe(true);
    expect(isForeignRoom('src/providers/signing/signature.ts', github)).toBe(true);
    expect(isForeignRoom('src/providers/github/samples.ts', github)).toBe(false);
    expect(isForeignRoom(github, 'src/providers/signing/signature.ts')).toBe(false);
    expect(isForeignRoom('src/providers/providers.ts', github)).toBe(false);
  });

  test('sees every way to import', () => {
    const text = `
      import a from './a.ts';
      import './b.ts';
      import type { C } from './c.ts';
      import { type D } from '../d.ts';
      import { type E, e } from './e.ts';
      export { f } from './f.ts';
      export type { G } from './g.ts';
      type H = import('./h.ts').H;
      const i = await import('./i.ts');
      import fs from 'node:fs';
      // import './comment.ts';
      const text = "import '../src/ai/handler/text.ts'";`;
    expect(parse('src/x/y.ts', text).imports.map(({ to, isType }) => [to, isType])).toEqual([
      ['src/x/a.ts', false],
      ['src/x/b.ts', false],
      ['src/x/c.ts', true],
      ['src/d.ts', true],
      ['src/x/e.ts', false],
      ['src/x/f.ts', false],
      ['src/x/g.ts', true],
      ['src/x/h.ts', true],
      ['src/x/i.ts', false],
    ]);
  });

  test('sees cycles and barrels', () => {
    const edge = (from: string, to: string): Import => ({ from, to, isType: true });
    expect(findCycle([edge('a', 'b'), edge('b', 'c'), edge('a', 'c')])).toBeNull();
    expect(findCycle([edge('a', 'b'), edge('b', 'c'), edge('c', 'b')])).toBe('b → c → b');
    expect(
      parse('src/x/all.ts', `export * from './a.ts'; export { b } from './b.ts';`).isBarrel,
    ).toBe(true);
    expect(parse('src/x/one.ts', `export * from './a.ts'; export const b = 1;`).isBarrel).toBe(
      false,
    );
  });
});
