// Before "npm start": builds the page where it is missing or older than its sources. A look
// takes milliseconds, and Vite is loaded only for a build.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What the page is made of and by; the lock file has the versions of the packages. */
const SOURCES = ['src/dashboard', 'build-dashboard.ts', 'tsconfig.json', 'package-lock.json'];
const PAGE = 'dist/dashboard/index.html';

// Without development dependencies there is nothing to build it with.
const canBuild = existsSync(join(root, 'node_modules', 'vite'));
if (canBuild && Math.max(...SOURCES.map(changedAt)) > changedAt(PAGE)) {
  process.stderr.write('building the dashboard\n');
  const { buildDashboard } = await import('../build-dashboard.ts');
  await buildDashboard();
}

/** When a file, or anything in a folder, changed last, ms; a file removed changes its folder. */
function changedAt(path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  const within = readdirSync(join(root, path)).map((name) => changedAt(join(path, name)));
  return Math.max(stats.mtimeMs, ...within);
}
