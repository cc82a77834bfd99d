#!/usr/bin/env node
// Runs on any Node, also one that is too old: nothing that needs more than node: is imported
// until the version is known to fit (better-sqlite3 crashes Node 20).
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { boundMemory } from './bounded-memory.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

// The least that undici takes, and it strips types from .ts files by itself; "engines" in package.json.
const MIN_MAJOR = 22;
const MIN_MINOR = 19;

// What the system looks up (src/delivery/network/name-resolver.ts says which names) takes
// libuv's threads, four by default and half of them for lookups: two names whose
// servers are dead would hold up all others.
process.env.UV_THREADPOOL_SIZE ??= '16';

const folder = dirname(fileURLToPath(import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < MIN_MAJOR || (major === MIN_MAJOR && minor < MIN_MINOR)) {
  const local = join(folder, '..', 'node_modules', 'node', 'bin', 'node');
  fail(
    `needs Node ${MIN_MAJOR}.${MIN_MINOR} or newer; this is ${process.versions.node} (${process.execPath})`,
    existsSync(local) || existsSync(`${local}.exe`)
      ? 'run "npm start" or "npx node bin/hookrelay.mjs": they use the Node that npm ci installed'
      : 'install a current Node: https://nodejs.org/en/download',
  );
} else {
  if (process.argv[2] === 'serve') boundMemory();
  keepCompiledCode();
  const source = new URL('../src/cli/main.ts', import.meta.url);
  const built = new URL('../dist/cli.mjs', import.meta.url);
  // Node strips types from a project's own sources, but refuses to in node_modules. They
  // need packages that dist/ has within it: "npm ci --omit=dev" installs too few.
  const isInstalled = folder.split(sep).includes('node_modules');
  const hasPackages = existsSync(join(folder, '..', 'node_modules', 'commander'));
  if (!isInstalled && hasPackages && existsSync(fileURLToPath(source))) await import(source.href);
  else if (existsSync(fileURLToPath(built))) await import(built.href);
  else if (!hasPackages && !isInstalled) {
    fail('has no packages to run with', 'run "npm ci", with development dependencies');
  } else fail('is not built: dist/cli.mjs is missing', 'run "npm run build", or install it again');
}

function fail(message, hint) {
  process.stderr.write(`hookrelay: ${message}\n  hint: ${hint}\n`);
  process.exitCode = 1;
}
