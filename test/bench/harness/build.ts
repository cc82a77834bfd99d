import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Written last by a build. */
const BUILT = 'dist/cli.mjs';
const SOURCES = ['src/**/*', 'migrations/**/*', 'build.config.ts', 'package.json'];

/** Builds dist/ when it is missing or older than what it is made of. */
export function buildIfStale(log: (text: string) => void): void {
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
