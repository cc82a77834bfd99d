// Runs before "npm start": builds the page if it is missing or older than its sources. The
// check takes milliseconds. Vite is loaded for a build only.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Sources and build tools of the page. The lock file has the packages' versions. */
const SOURCES = ['src/dashboard', 'build-dashboard.ts', 'tsconfig.json', 'package-lock.json'];
const PAGE = 'dist/dashboard/index.html';

// Without development dependencies the page can't be built.
const canBuild = existsSync(join(root, 'node_modules', 'vite'));
if (canBuild && Math.max(...SOURCES.map(changedAt)) > changedAt(PAGE)) {
  process.stderr.write('building the dashboard\n');
  const { buildDashboard } = await import('../build-dashboard.ts');
  await buildDashboard();
}

/** Last change of a file, or of anything in a folder, ms. Removing a file changes its folder. */
function changedAt(path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  const within = readdirSync(join(root, path)).map((name) => changedAt(join(path, name)));
  return Math.max(stats.mtimeMs, ...within);
}
