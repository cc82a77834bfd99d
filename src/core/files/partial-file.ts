import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Beside a database while it is written, or after its writer was killed. */
const PARTIAL = /\.partial-(\d+)-(\d+)(?:-wal|-shm|-journal)?$/;
/** Where its writer can't be looked for, a file that nobody has written to for so long is abandoned, ms. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

let ownSpace: string | undefined;

/** The name that `file` has until it is whole. It tells which process writes it, and where that runs. */
export function partialOf(file: string): string {
  return `${file}.partial-${process.pid}-${processSpace()}`;
}

/**
 * Removes from a directory the partial files whose writers were killed, whatever
 * they were to become.
 *
 * The number of a process says whether it lives only to those that see it: on the
 * same machine, since the same boot, in the same container. A directory that
 * several share (a volume, a network disk) may hold files of others: those go when
 * nobody has written to them for a day. What can't be removed stays.
 */
export function removeAbandoned(directory: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(directory);
  } catch {
    // A directory that may be written to, but not looked into.
  }
  for (const name of names) {
    const [, pid, space] = PARTIAL.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(directory, name);
    const isAbandoned =
      space === processSpace() ? !isAlive(Number(pid)) : idleMs(path) > ABANDONED_AFTER_MS;
    if (!isAbandoned) continue;
    try {
      rmSync(path);
    } catch {
      // Another's, or a directory.
    }
  }
}

/** The same for all processes that see one another's numbers, and for no others. */
function processSpace(): string {
  ownSpace ??= createHash('sha256')
    .update([hostname(), ...spaceOfLinux()].join('\n'))
    .digest()
    .readUInt32BE()
    .toString();
  return ownSpace;
}

/** Nothing on other systems: without containers, the name of the machine does. */
function spaceOfLinux(): string[] {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return [boot, readlinkSync('/proc/self/ns/pid')];
  } catch {
    return [];
  }
}

/** Since it was written to. */
function idleMs(path: string): number {
  const mtimeMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return mtimeMs === undefined ? 0 : Date.now() - mtimeMs;
}

/** A number that the system has given to another process since only costs the removal. */
function isAlive(pid: number): boolean {
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
