import { existsSync, readdirSync, rmSync } from 'node:fs';
import { defineBuildConfig } from 'unbuild';

/*
 * The npm package's code: ESM in dist/, dependencies left to node_modules.
 * Every worker thread is an entry, so that it has a file to be started from;
 * `src/core/resource.ts` names those files, here and in the sources.
 *
 * A warning fails the build: an import that "dependencies" in package.json
 * doesn't list would be bundled, or missing once installed.
 */
export default defineBuildConfig({
  entries: [
    { input: 'src/cli/main.ts', name: 'cli' },
    { input: 'src/store/sqlite/store-worker.ts', name: 'store-worker' },
    { input: 'src/store/sqlite/reader-worker.ts', name: 'reader-worker' },
    { input: 'src/store/sqlite/index-worker.ts', name: 'index-worker' },
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
  },
  declaration: false,
  sourcemap: false,
  failOnWarn: true,
  rollup: {
    emitCJS: false,
    // The oldest Node in "engines": `using` and the like are rewritten for it.
    esbuild: { target: 'node22' },
  },
});
