import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { HookrelayError } from '../../core/errors.ts';

// The reserve of headroom.ts, below which capture stops.
const RESERVE_SHARE = 0.05;
const RESERVE_MOST_BYTES = 1024 ** 3;
const RESERVE_LEAST_BYTES = 256 * 1024 ** 2;

/** Null where the file system doesn't say. */
export async function diskSpace(
  directory: string,
): Promise<{ freeBytes: number; reserveBytes: number } | null> {
  try {
    const { blocks, bavail, bsize } = await statfs(directory);
    const share = Math.min(RESERVE_MOST_BYTES, blocks * bsize * RESERVE_SHARE);
    return { freeBytes: bavail * bsize, reserveBytes: Math.max(RESERVE_LEAST_BYTES, share) };
  } catch {
    return null;
  }
}

/**
 * Throws `storage_full` when `directory` has no room for so many bytes more. On
 * the disk of `dataDir` the server's reserve must stay free too: a backup that
 * stops capture does what it should prevent.
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
  const reserve = isSharedDisk ? ' and what the server needs free' : '';
  throw new HookrelayError(
    'storage_full',
    `${directory} has too little room: ${Math.ceil(missing / 1024 ** 2)} MiB are missing for the copy${reserve}`,
    { hint: 'free disk space, or write to another disk' },
  );
}
