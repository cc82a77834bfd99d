import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { defineBuildConfig } from 'unbuild';
import { buildDashboard } from './build-dashboard.ts';

/*
 * The npm package's code: ESM in dist/, with the packages it uses. A start that
 * looks for each of their files in node_modules takes a third longer. Left
 * there, as "dependencies" in package.json, are those with native code and those
 * that few runs load; the others are "devDependencies".
 *
 * Every worker thread is an entry, so that it has a file to be started from;
 * `src/core/resource.ts` names those files, here and in the sources.
 *
 * A warning fails the build: of an import that can't be resolved, for example,
 * which would be missing once installed.
 */
export default defineBuildConfig({
  entries: [
    { input: 'src/cli/main.ts', name: 'cli' },
    { input: 'src/store/sqlite/thread/store-worker.ts', name: 'store-worker' },
    { input: 'src/store/sqlite/reading/reader-worker.ts', name: 'reader-worker' },
    { input: 'src/store/sqlite/search/index-worker.ts', name: 'index-worker' },
    { input: 'src/ai/types/types-worker.ts', name: 'types-worker' },
  ],
  outDir: 'dist',
  // By the hook, which leaves the packed binaries.
  clean: false,
  hooks: {
    'build:prepare': () => {
      for (const name of existsSync('dist') ? readdirSync('dist') : []) {
        if (!name.startsWith('hookrelay-')) rmSync(`dist/${name}`, { recursive: true });
      }
    },
    'rollup:options': (_, { plugins }) => {
      plugins.push(noteBundled);
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
    // Packages have an entry for Node and others for browsers and workers.
    resolve: { exportConditions: ['node', 'production'] },
    // Else a `require` in a `try` stays as it is, and fails unheard in a module.
    // Rollup's CommonJS plugin declares its options in a form that TypeScript doesn't find here.
    commonjs: { ignoreTryCatch: false } as never,
    // The oldest Node in "engines": `using` and the like are rewritten for it.
    esbuild: { target: 'node22' },
  },
});

/** Folders of the packages whose code is in dist/. */
const bundled = new Set<string>();

/** For Rollup and for Vite: notes the folders of the packages whose code is used. */
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

/** Of a package, and of what it contains of others. */
const LICENSE = /(?:^|[/-])licen[cs]es?(?:\.(?:md|txt))?(?:\.gz)?$/i;

/** Their licences ask to be passed on with the code. */
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
