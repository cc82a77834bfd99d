import { accessSync, constants } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

/** Bounds the main thread's young objects, MiB. V8's own bound is four times as large. */
const YOUNG_OBJECTS = '--max-semi-space-size=8';
const SIZE_OPTION = /semi[-_]space[-_]size/;
/** Number of glibc malloc arenas. By default, each of sixteen threads gets one. */
const MALLOC_HEAPS = '2';
/** Environment variable that marks the restarted process. */
const MARK = 'HOOKRELAY_BOUNDED';
/** Paths of descriptors that a shell opened. A restart may lose them. */
const SHELL_DESCRIPTOR = /\/(?:dev|proc\/self)\/fd\//;

/**
 * Restarts the program in the same process (execve), with settings that bound its
 * memory and apply only at start. Saves 40 MB under load and costs 35 ms. Call it
 * first. Returns after the restart, if a restart is impossible, or if the operator
 * has set the size of young objects.
 *
 * Not for the packed binary, whose restart takes 90 to 150 ms.
 */
export function boundMemory() {
  const { argv, env, execArgv, execPath } = process;
  if (env[MARK]) {
    delete env[MARK];
    // Reset for worker threads: it would override their own lower bounds.
    setFlagsFromString('--max-semi-space-size=0');
    return;
  }
  const options = env.NODE_OPTIONS ?? '';
  const isSet = SIZE_OPTION.test(options) || execArgv.some((option) => SIZE_OPTION.test(option));
  if (isSet || !canRestart()) return;
  try {
    process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], {
      ...env,
      NODE_OPTIONS: `${options} ${YOUNG_OBJECTS}`.trim(),
      MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? MALLOC_HEAPS,
      [MARK]: '1',
    });
  } catch {
    // This process goes on and takes more memory.
  }
}

function canRestart() {
  if (process.platform === 'win32' || !process.execve || process.permission) return false;
  // A parent (`fork`) would lose its IPC channel.
  if (process.send) return false;
  if (
    [...process.argv, ...Object.values(process.env)].some((value) => SHELL_DESCRIPTOR.test(value))
  ) {
    return false;
  }
  try {
    // Some Node versions end the process if execve fails.
    accessSync(process.execPath, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
