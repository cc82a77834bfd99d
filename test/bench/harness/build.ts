import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Below node_modules, where `bin/hookrelay.mjs` treats itself as installed and runs dist/. */
const INSTALLED = join(ROOT, 'node_modules/.bench/hookrelay');
/** The files that a user of the npm package runs. */
export const PROGRAM = join(INSTALLED, 'bin/hookrelay.mjs');
/** Written last by a build. */
const BUILT = 'dist/cli.mjs';
/** The package has no packed binaries. */
const BINARY = join(ROOT, 'dist/hookrelay-');
const SOURCES = ['src/**/*', 'migrations/**/*', 'build.config.ts', 'package.json'];

/** Puts the package into place, after a new build when dist/ is older than its sources. */
export function installPackage(log: (text: string) => void): void {
  buildIfStale(log);
  rmSync(INSTALLED, { recursive: true, force: true });
  for (const part of ['bin', 'dist', 'migrations', 'package.json']) {
    const filter = (path: string) => !path.startsWith(BINARY);
    cpSync(join(ROOT, part), join(INSTALLED, part), { recursive: true, filter });
  }
}

function buildIfStale(log: (text: string) => void): void {
  const built = statSync(`${ROOT}/${BUILT}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const changed = Math.max(
    ...globSync(SOURCES, { cwd: ROOT }).map((file) => statSync(`${ROOT}/${file}`).mtimeMs),
  );
  if (built >= changed) return;
  log('building');
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('the build failed');
}
