import module from 'node:module';
import { dirname } from 'node:path';

/**
 * Returns the environment for a new thread. The thread uses the main thread's cache of compiled
 * code, which threads don't inherit. Otherwise it compiles its modules at each start.
 */
export function workerEnv(): NodeJS.ProcessEnv {
  // The folder of this Node version, below the folder that the variable names.
  const folder = module.getCompileCacheDir?.();
  return folder ? { ...process.env, NODE_COMPILE_CACHE: dirname(folder) } : process.env;
}
