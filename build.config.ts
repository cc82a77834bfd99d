import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Plugin } from 'rollup';
import { defineBuildConfig } from 'unbuild';
import { buildDashboard } from './build-dashboard.ts';

/*
 * Builds the npm package's code: ESM in dist/, with most packages bundled. Without
 * bundling, a start takes a third longer. "dependencies" in package.json are not
 * bundled: they have native code, or few runs load them. Bundled packages are
 * "devDependencies".
 *
 * Every worker thread is an entry, because it starts from a file of its own.
 * `src/core/runtime/resource.ts` names these files, in the build and in the sources.
 *
 * A warning fails the build: an unresolved import, for example, would be missing
 * after installation.
 */
export default defineBuildConfig({
  entries: [
    { input: 'src/cli/main.ts', name: 'cli' },
    { input: 'src/store/sqlite/store-thread/store-worker.ts', name: 'store-worker' },
    { input: 'src/store/sqlite/reader-thread/reader-worker.ts', name: 'reader-worker' },
    { input: 'src/api/events/view-worker.ts', name: 'view-worker' },
    { input: 'src/store/sqlite/search-index/index-worker.ts', name: 'index-worker' },
    { input: 'src/ai/types/types-worker.ts', name: 'types-worker' },
    { input: 'src/ai/learned/schema-worker.ts', name: 'schema-worker' },
    { input: 'src/capture/judging/judge-worker.ts', name: 'judge-worker' },
    { input: 'src/maintenance/types/learning-worker.ts', name: 'learning-worker' },
    { input: 'src/store/postgres/judging/rules-worker.ts', name: 'rules-worker' },
  ],
  outDir: 'dist',
  // The hook below cleans dist/ and keeps the packed binaries.
  clean: false,
  hooks: {
    'build:prepare': () => {
      for (const name of existsSync('dist') ? readdirSync('dist') : []) {
        if (!name.startsWith('hookrelay-')) rmSync(`dist/${name}`, { recursive: true });
      }
    },
    'rollup:options': (_, { plugins }) => {
      plugins.push(noteBundled);
      plugins.unshift(onlyParts);
    },
    'build:done': async () => {
      await buildDashboard([noteBundled]);
      writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licensesOf([...bundled].sort()));
    },
  },
  declaration: false,
  sourcemap: false,
  failOnWarn: true,
  rollup: {
    emitCJS: false,
    inlineDependencies: true,
    // Some packages have other entries for browsers and workers.
    resolve: { exportConditions: ['node', 'production'] },
    // By default a `require` in a `try` stays, and fails silently in a module.
    // The cast: TypeScript doesn't find the plugin's option types here.
    commonjs: { ignoreTryCatch: false } as never,
    // The oldest Node in "engines": esbuild rewrites newer syntax such as `using`.
    esbuild: { target: 'node22' },
  },
});

/**
 * Packages whose index loads much more than hookrelay uses: fetch and WebSocket, or a driver for
 * each database. By package, the file of each export that hookrelay imports. Another import fails
 * the build.
 */
const PARTS: Record<string, { exports: Record<string, string>; sideEffects?: string }> = {
  undici: {
    exports: {
      Agent: 'lib/dispatcher/agent.js',
      buildConnector: 'lib/core/connect.js',
      Client: 'lib/dispatcher/client.js',
      errors: 'lib/core/errors.js',
      Pool: 'lib/dispatcher/pool.js',
    },
    // As undici's index does.
    sideEffects: `
      import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
      import api from 'undici/lib/api/index.js';
      Object.assign(Dispatcher.prototype, api);`,
  },
  'rate-limiter-flexible': { exports: { RateLimiterMemory: 'lib/RateLimiterMemory.js' } },
  'prom-client': {
    exports: {
      collectDefaultMetrics: 'lib/defaultMetrics.js',
      Counter: 'lib/counter.js',
      Gauge: 'lib/gauge.js',
      Histogram: 'lib/histogram.js',
      Registry: 'lib/registry.js',
    },
  },
};
const PARTS_ID = '\0parts:';

/** Rollup plugin: replaces the index of each package in `PARTS`. */
const onlyParts: Plugin = {
  name: 'only-parts',
  resolveId(id) {
    const parts = Object.hasOwn(PARTS, id) ? PARTS[id] : undefined;
    return parts ? { id: PARTS_ID + id, moduleSideEffects: parts.sideEffects !== undefined } : null;
  },
  load(id) {
    const name = id.startsWith(PARTS_ID) ? id.slice(PARTS_ID.length) : '';
    const parts = PARTS[name];
    if (!parts) return null;
    const lines = Object.entries(parts.exports).map(
      ([one, file]) => `export { default as ${one} } from '${name}/${file}';`,
    );
    return [parts.sideEffects ?? '', ...lines].join('\n');
  },
};

/** Folders of the packages whose code is in dist/. */
const bundled = new Set<string>();

/** Plugin for Rollup and Vite: collects the folders of bundled packages. */
const noteBundled = {
  name: 'note-bundled',
  generateBundle(_: unknown, bundle: Record<string, object>): void {
    for (const output of Object.values(bundle)) {
      for (const id of 'modules' in output ? Object.keys(output.modules as object) : []) {
        const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
        if (folder) bundled.add(folder);
      }
    }
  },
};

/** Licence files of a package, and of code that it contains. */
const LICENSE = /(?:^|[/-])licen[cs]es?(?:\.(?:md|txt))?(?:\.gz)?$/i;

/** All licence texts: the licences require them beside the code. */
function licensesOf(folders: readonly string[]): string {
  return folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      );
      const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => LICENSE.test(path) && !path.startsWith('node_modules'))
        .sort()
        .map((path) => {
          const content = readFileSync(join(folder, path));
          return `${path}\n\n${(path.endsWith('.gz') ? gunzipSync(content) : content).toString().trim()}`;
        });
      return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
