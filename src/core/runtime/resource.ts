import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Paths of the package's own files. This module runs from `src/core/runtime` or from a bundle in
 * `dist`. So it searches for package.json instead of counting levels.
 *
 * All paths are strings, because the packed binary's file system doesn't accept URL objects in
 * `readFileSync` and `new Worker`.
 */
const here = fileURLToPath(import.meta.url);
const runsFromSource = here.endsWith('.ts');

/** The sources of worker threads. `build.config.ts` builds each to one file in `dist/`. */
const WORKER_SOURCES = {
  'store-worker': 'src/store/sqlite/store-thread/store-worker.ts',
  'reader-worker': 'src/store/sqlite/reader-thread/reader-worker.ts',
  'index-worker': 'src/store/sqlite/search-index/index-worker.ts',
  'types-worker': 'src/ai/types/types-worker.ts',
  'schema-worker': 'src/ai/learned/schema-worker.ts',
  'view-worker': 'src/api/events/view-worker.ts',
  'judge-worker': 'src/capture/judging/judge-worker.ts',
  'learning-worker': 'src/maintenance/types/learning-worker.ts',
  'rules-worker': 'src/store/postgres/judging/rules-worker.ts',
} as const;

export type WorkerName = keyof typeof WORKER_SOURCES;

/** Returns the folder of package.json: a checkout, an installed package or a binary's snapshot. */
function packageRoot(): string {
  let folder = dirname(here);
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json above ${here}`);
    folder = parent;
  }
  return folder;
}

/** Returns the folder with one subfolder of migrations for each backend. */
export function migrationsDir(): string {
  return join(packageRoot(), 'migrations');
}

/** Returns the path of a worker thread's script. */
export function workerFile(name: WorkerName): string {
  return join(packageRoot(), runsFromSource ? WORKER_SOURCES[name] : `dist/${name}.mjs`);
}

/** Returns the folder of the built dashboard. It may not exist. */
export function dashboardDir(): string {
  return join(packageRoot(), 'dist', 'dashboard');
}

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}
