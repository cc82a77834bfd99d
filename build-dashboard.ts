import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type PluginOption } from 'vite';

/** What is worth sending compressed. */
const TEXT = /\.(?:js|css|html|svg)$/;

/**
 * Builds the page into dist/dashboard: names of assets hold a hash of what is in
 * them, and each text lies there as brotli and gzip too, compressed once and
 * better than a server could for every request.
 *
 * It is there whole or not at all, and as old as the beginning of the build: a
 * source that is edited meanwhile is newer.
 */
export async function buildDashboard(plugins: PluginOption[] = []): Promise<void> {
  const begun = new Date();
  const finished = fileURLToPath(new URL('dist/dashboard', import.meta.url));
  const outDir = `${finished}.partial-${process.pid}`;
  await build({
    configFile: false,
    root: fileURLToPath(new URL('src/dashboard', import.meta.url)),
    logLevel: 'warn',
    plugins,
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
  utimesSync(join(outDir, 'index.html'), begun, begun);
  rmSync(finished, { recursive: true, force: true });
  renameSync(outDir, finished);
}
