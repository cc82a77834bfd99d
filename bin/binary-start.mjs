// Where the packed binary starts (bin/build-binary.mjs packs it): what
// bin/hookrelay.mjs is for the npm package.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keepCompiledCode } from './compile-cache.mjs';
import { userCache } from './user-cache.mjs';

// As in bin/hookrelay.mjs: names that the system looks up must not wait for one another.
process.env.UV_THREADPOOL_SIZE ??= '16';

/*
 * An operating system loads an addon from a real file only. pkg unpacks it below
 * the home directory, and there is none, or none that can be written, in many a
 * container and service. It also writes in place, which two first starts at once
 * can't survive. So the main thread unpacks by itself, whole or not at all, and
 * where pkg expects it: its workers then find it there. All threads must load
 * the very same file: two copies of SQLite in one process break its locks.
 */
const IN_SNAPSHOT = /^(?:[A-Za-z]:)?[\\/]snapshot[\\/]/;
const loadFile = process.dlopen.bind(process);
/** Chosen by the first addon. */
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
    `a native addon can be loaded neither from the cache directory nor from the temporary one: ${failures.join('; ')}`,
  );
};

/** For this process alone: another user could have made a folder of a known name. */
function temporaryCache() {
  const folder = mkdtempSync(join(tmpdir(), 'hookrelay-'));
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Windows keeps what is loaded.
    }
  });
  return folder;
}

/** The path of the addon as a real file; pkg's own layout. */
function unpack(file, content, folder) {
  const parts = file.split(/[\\/]/);
  const inPackage = parts.slice(parts.lastIndexOf('node_modules') + 1);
  const hash = createHash('sha256').update(content).digest('hex');
  const target = join(folder, 'pkg', hash, ...inPackage);
  try {
    if (readFileSync(target).equals(content)) return target;
  } catch {
    // Not there yet.
  }
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const partial = `${target}.${process.pid}`;
  writeFileSync(partial, content, { mode: 0o700 });
  renameSync(partial, target);
  return target;
}

keepCompiledCode();
// Here first: the store's thread would have pkg unpack it, in place.
new (await import('better-sqlite3')).default(':memory:').close();
await import('../dist/cli.mjs');
