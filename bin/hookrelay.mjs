#!/usr/bin/env node
// Runs on any Node, even one that is too old: it imports only node: modules and its neighbours
// until the version is checked (better-sqlite3 crashes Node 20).
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { boundMemory } from './bounded-memory.mjs';
import { keepCompiledCode } from './compile-cache.mjs';

// The oldest Node for undici. It strips types from .ts files. As "engines" in package.json.
const MIN_MAJOR = 22;
const MIN_MINOR = 19;

// DNS lookups of the system (src/delivery/network/name-resolver.ts says which) use libuv's
// threads: four by default, and half of them for lookups. Two names with dead servers
// would block all others.
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
  if (process.argv[2] === 'serve') {
    boundMemory();
    // SIGHUP never ends a server. It may come before the server's own listener exists.
    process.on('SIGHUP', () => {});
  }
  keepCompiledCode();
  const source = new URL('../src/cli/main.ts', import.meta.url);
  const built = new URL('../dist/cli.mjs', import.meta.url);
  // Node strips types from sources, except in node_modules. Sources need packages that dist/
  // contains: "npm ci --omit=dev" installs too few.
  const isInstalled = folder.split(sep).includes('node_modules');
  const hasPackages = existsSync(join(folder, '..', 'node_modules', 'commander'));
  if (!isInstalled && hasPackages && existsSync(fileURLToPath(source))) await import(source.href);
  else if (existsSync(fileURLToPath(built))) await import(built.href);
  else if (!hasPackages && !isInstalled) {
    fail('the packages are not installed', 'run "npm ci" with development dependencies');
  } else fail('dist/cli.mjs is missing', 'run "npm run build", or install hookrelay again');
}

function fail(message, hint) {
  process.stderr.write(`hookrelay: ${message}\n  hint: ${hint}\n`);
  process.exitCode = 1;
}
