import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type PluginOption } from 'vite';

/** What each view needs is one file: a browser has six connections, and the style waits for one. */
const ONE_FILE = { groups: [{ name: 'page', tags: ['$initial' as const] }] };

/** The style blocks the first paint, so it is asked for before the code. */
const STYLE_FIRST: PluginOption = {
  name: 'style-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const style = /^ *<link rel="stylesheet"[^>]*>\n/m.exec(html)?.[0];
      if (style === undefined) return html;
      return html.replace(style, '').replace(/^ *<link rel="icon"/m, `${style}$&`);
    },
  },
};

/** Files to compress. */
const TEXT = /\.(?:js|css|html|svg)$/;

/**
 * Builds the page into dist/dashboard. Asset names contain a hash of their content.
 * Each text file also exists as brotli and gzip, compressed once at the highest
 * level.
 *
 * The folder appears whole or not at all. Its time is the start of the build, so a
 * source edited during the build is newer.
 */
export async function buildDashboard(plugins: PluginOption[] = []): Promise<void> {
  const begun = new Date();
  const finished = fileURLToPath(new URL('dist/dashboard', import.meta.url));
  const outDir = `${finished}.partial-${process.pid}`;
  await build({
    configFile: false,
    root: fileURLToPath(new URL('src/dashboard', import.meta.url)),
    logLevel: 'warn',
    plugins: [...plugins, STYLE_FIRST],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      // No inlined files: the page's content security policy forbids data: URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: ONE_FILE } },
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
