import { existsSync, readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Counts the commits in a write-ahead log (https://sqlite.org/fileformat2.html, section
 * 4.1): a frame that ends a commit has the database's size in its header, the others have
 * 0. Frames from before a reset of the log have other salts and don't count.
 */
export function commitsIn(walFile: string): number {
  const wal = existsSync(walFile) ? readFileSync(walFile) : Buffer.alloc(0);
  if (wal.length < HEADER_BYTES) return 0;
  const frameBytes = FRAME_HEADER_BYTES + wal.readUInt32BE(8);
  const salts = wal.subarray(16, 24);
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    if (!wal.subarray(at + 8, at + 16).equals(salts)) break;
    if (wal.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}
