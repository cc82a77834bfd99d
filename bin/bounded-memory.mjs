import { accessSync, constants } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

/** Bounds the main thread's young objects, MiB. V8's own bound is four times as large. */
const YOUNG_OBJECTS = '--max-semi-space-size=8';
/**
 * Bounds its old objects, MiB. V8's own bound grows with the machine's memory, up to 4 GiB. From 2 GiB
 * on, V8 lets them quadruple between two collections, below only double. There are flags for the
 * growth itself, but under most flags V8 refuses all compiled code, Node's own too.
 */
const OLD_OBJECTS = '--max-old-space-size=2000';
const SIZE_OPTION = /semi[-_]space[-_]size/;
const OLD_SIZE_OPTION = /old[-_]space[-_]size/;
/** Number of glibc malloc arenas. By default, each of sixteen threads gets one. */
const MALLOC_HEAPS = '2';
/** Environment variable that marks the restarted process. Its value is the options added. */
const MARK = 'HOOKRELAY_BOUNDED';
/** Paths of descriptors that a shell opened. A restart may lose them. */
const SHELL_DESCRIPTOR = /\/(?:dev|proc\/self)\/fd\//;

/**
 * Restarts the program in the same process (execve), with settings that bound its
 * memory and apply only at start. Saves 70 MB under load and costs 35 ms. Call it
 * first. Returns after the restart, if a restart is impossible, or if the operator
 * has set the size of young objects. Keeps the operator's size of old objects.
 *
 * Not for the packed binary, whose restart takes 90 to 150 ms.
 */
export function boundMemory() {
  const { argv, env, execArgv, execPath } = process;
  if (env[MARK]) {
    // Reset for worker threads: they would override their own lower bounds.
    for (const bound of env[MARK].split(' ')) setFlagsFromString(bound.replace(/\d+$/, '0'));
    delete env[MARK];
    return;
  }
  const options = env.NODE_OPTIONS ?? '';
  const isSet = (name) => name.test(options) || execArgv.some((option) => name.test(option));
  if (isSet(SIZE_OPTION) || !canRestart()) return;
  const bounds = isSet(OLD_SIZE_OPTION) ? YOUNG_OBJECTS : `${YOUNG_OBJECTS} ${OLD_OBJECTS}`;
  try {
    process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], {
      ...env,
      NODE_OPTIONS: `${options} ${bounds}`.trim(),
      MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? MALLOC_HEAPS,
      [MARK]: bounds,
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
