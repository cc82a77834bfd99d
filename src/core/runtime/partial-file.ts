import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The name of a partial file: its writer is at work, or was killed. */
const PARTIAL = /\.partial-(\d+)-(\d+)(?:-wal|-shm|-journal)?$/;
/** A file whose writer can't be checked is abandoned after this idle time, ms. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

let ownSpace: string | undefined;

/** The name of `file` until it is complete: with the writing process and its process space. */
export function partialOf(file: string): string {
  return `${file}.partial-${process.pid}-${processSpace()}`;
}

/**
 * Removes the partial files of killed writers from a directory. Files that can't be removed stay.
 *
 * A process id is valid only on the same machine, in the same boot and container. A shared
 * directory (a volume, a network disk) may hold other machines' files. These go after a day
 * without a write.
 */
export function removeAbandoned(directory: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(directory);
  } catch {
    // The process may write to the directory but not list it.
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

/** A number that is the same for processes that share process ids, and different for others. */
function processSpace(): string {
  ownSpace ??= createHash('sha256')
    .update([hostname(), ...spaceOfLinux()].join('\n'))
    .digest()
    .readUInt32BE()
    .toString();
  return ownSpace;
}

/** Boot and container; empty on other systems, where the host name is enough. */
function spaceOfLinux(): string[] {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return [boot, readlinkSync('/proc/self/ns/pid')];
  } catch {
    return [];
  }
}

/** Time since the last write, ms. */
function idleMs(path: string): number {
  const mtimeMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return mtimeMs === undefined ? 0 : Date.now() - mtimeMs;
}

/** Whether a process lives. A reused id only delays the removal. */
function isAlive(pid: number): boolean {
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
