import module from 'node:module';
import { join } from 'node:path';
import { userCache } from './user-cache.mjs';

/**
 * Keeps compiled code between runs, which is most of the time to start. Where
 * that isn't possible Node goes on without; NODE_DISABLE_COMPILE_CACHE=1 turns it off.
 */
export function keepCompiledCode() {
  try {
    module.enableCompileCache?.(join(userCache(), 'compiled'));
  } catch {
    // A user without a home directory, or without one that can be written.
  }
}
