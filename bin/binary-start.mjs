// Entry of the packed binary (bin/build-binary.mjs packs it). bin/hookrelay.mjs is the
// entry of the npm package.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keepCompiledCode } from './compile-cache.mjs';
import { userCache } from './user-cache.mjs';

// As in bin/hookrelay.mjs: DNS lookups of the system must not block one another.
process.env.UV_THREADPOOL_SIZE ??= '16';
// As in bin/hookrelay.mjs: SIGHUP never ends a server.
if (process.argv.includes('serve')) process.on('SIGHUP', () => {});

/*
 * An operating system loads a native addon from a real file only. pkg unpacks
 * addons below the home directory, but many containers and services have none that
 * is writable. pkg also writes in place, which breaks two first starts at once. The
 * main thread therefore unpacks each addon atomically, where pkg's workers look for
 * it. All threads must load the same file: two copies of SQLite in one process
 * break its locks.
 */
const IN_SNAPSHOT = /^(?:[A-Za-z]:)?[\\/]snapshot[\\/]/;
const loadFile = process.dlopen.bind(process);
/** Cache folder, chosen when the first addon loads. */
let cache;

process.dlopen = (module, file, ...rest) => {
  if (!IN_SNAPSHOT.test(file)) return loadFile(module, file, ...rest);
  const content = readFileSync(file);
  const failures = [];
  for (const open of cache ? [() => cache] : [userCache, temporaryCache]) {
    try {
      const folder = open();
      const loaded = loadFile(module, unpack(file, content, folder), ...rest);
      cache = folder;
      process.env.PKG_NATIVE_CACHE_PATH = folder;
      return loaded;
    } catch (error) {
      failures.push(error.message);
    }
  }
  throw new Error(
    `a native addon loads neither from the cache directory nor from the temporary directory: ${failures.join('; ')}`,
  );
};

/** A new folder for this process: another user could own a folder with a known name. */
function temporaryCache() {
  const folder = mkdtempSync(join(tmpdir(), 'hookrelay-'));
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Windows can't remove a loaded file.
    }
  });
  return folder;
}

/** Unpacks an addon in pkg's layout and returns its path. */
function unpack(file, content, folder) {
  const parts = file.split(/[\\/]/);
  const inPackage = parts.slice(parts.lastIndexOf('node_modules') + 1);
  const hash = createHash('sha256').update(content).digest('hex');
  const target = join(folder, 'pkg', hash, ...inPackage);
  try {
    if (readFileSync(target).equals(content)) return target;
  } catch {
    // The file doesn't exist yet.
  }
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const partial = `${target}.${process.pid}`;
  writeFileSync(partial, content, { mode: 0o700 });
  renameSync(partial, target);
  return target;
}

keepCompiledCode();
// The main thread loads it first: otherwise pkg unpacks it in place for the store's thread.
new (await import('better-sqlite3')).default(':memory:').close();
await import('../dist/cli.mjs');
