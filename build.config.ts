import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineBuildConfig } from 'unbuild';
import { build } from 'vite';

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
    'build:done': () => buildDashboard(),
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

/** What is worth sending compressed. */
const TEXT = /\.(?:js|css|html|svg)$/;

/**
 * The page, into dist/dashboard: names of assets hold a hash of what is in
 * them, and each text lies there as brotli and gzip too, compressed once and
 * better than a server could for every request.
 */
export async function buildDashboard(): Promise<void> {
  const outDir = fileURLToPath(new URL('dist/dashboard', import.meta.url));
  await build({
    configFile: false,
    root: fileURLToPath(new URL('src/dashboard', import.meta.url)),
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      // No file may go into the page's text: the policy knows no data: URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
  for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !TEXT.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const content = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
