import module from 'node:module';
import { join } from 'node:path';
import { userCache } from './user-cache.mjs';

/**
 * Caches compiled code between runs: compiling is most of the start time. If the cache
 * fails, Node runs without it. NODE_DISABLE_COMPILE_CACHE=1 turns it off.
 */
export function keepCompiledCode() {
  try {
    module.enableCompileCache?.(join(userCache(), 'compiled'));
  } catch {
    // The user has no writable home directory.
  }
}
