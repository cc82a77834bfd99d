import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The name of a partial file. Its writer is still running or was killed. */
const PARTIAL = /\.partial-(\d+)-(\d+)(?:-wal|-shm|-journal)?$/;
/** How long a file without writes counts as in use if its writer can't be checked, ms. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

let ownSpace: string | undefined;

/**
 * Returns the name of `file` while it is incomplete. The name contains the writer's process id and
 * a number for its process space.
 */
export function partialOf(file: string): string {
  return `${file}.partial-${process.pid}-${processSpace()}`;
}

/**
 * Removes the partial files of killed writers from a directory. Files that can't be removed stay.
 *
 * A process id is unique only within one machine, boot and container. A shared directory, such as a
 * network disk, may contain files of other machines. Such a file goes after a day without a write.
 */
export function removeAbandoned(directory: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(directory);
  } catch {
    // The process may lack the right to list the directory.
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
      // The file belongs to another user, or it is a directory.
    }
  }
}

/** Returns a number for the set of processes whose ids are unique: machine, boot and container. */
function processSpace(): string {
  ownSpace ??= createHash('sha256')
    .update([hostname(), ...spaceOfLinux()].join('\n'))
    .digest()
    .readUInt32BE()
    .toString();
  return ownSpace;
}

/**
 * Returns the ids of boot and container on Linux. Empty on other systems, where the host name is
 * enough.
 */
function spaceOfLinux(): string[] {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return [boot, readlinkSync('/proc/self/ns/pid')];
  } catch {
    return [];
  }
}

/** Returns the time since the last write, ms. 0 if the file is gone. */
function idleMs(path: string): number {
  const mtimeMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return mtimeMs === undefined ? 0 : Date.now() - mtimeMs;
}

/** Returns whether a process runs. A reused id only delays the removal. */
function isAlive(pid: number): boolean {
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
