import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { HookrelayError } from '../../../core/errors.ts';

// New events must leave this reserve free, so that retention can still delete events.
const RESERVE_SHARE = 0.05;
const RESERVE_MOST_BYTES = 1024 ** 3;
const RESERVE_LEAST_BYTES = 256 * 1024 ** 2;

export interface DiskSpace {
  freeBytes: number;
  /** Capture stops when less than this is free. */
  reserveBytes: number;
}

export function reserveOf(diskBytes: number): number {
  return Math.max(RESERVE_LEAST_BYTES, Math.min(RESERVE_MOST_BYTES, diskBytes * RESERVE_SHARE));
}

/** Returns null if the file system doesn't report its space. */
export async function diskSpace(directory: string): Promise<DiskSpace | null> {
  try {
    const { blocks, bavail, bsize } = await statfs(directory);
    return { freeBytes: bavail * bsize, reserveBytes: reserveOf(blocks * bsize) };
  } catch {
    return null;
  }
}

/**
 * Throws `storage_full` if `directory` has no room for `bytes` more. On the disk of `dataDir`, the
 * server's reserve must stay free too. Otherwise a backup would stop capture.
 */
export async function requireSpace(
  directory: string,
  bytes: number,
  dataDir: string,
): Promise<void> {
  const space = await diskSpace(directory);
  if (!space) return;
  const isSharedDisk = statSync(directory).dev === statSync(dataDir).dev;
  const missing = bytes + (isSharedDisk ? space.reserveBytes : 0) - space.freeBytes;
  if (missing <= 0) return;
  const reserve = isSharedDisk ? ' and the server’s reserve' : '';
  throw new HookrelayError(
    'storage_full',
    `${directory} has too little room: ${Math.ceil(missing / 1024 ** 2)} MiB are missing for the copy${reserve}`,
    { hint: 'free disk space, or write to another disk' },
  );
}
