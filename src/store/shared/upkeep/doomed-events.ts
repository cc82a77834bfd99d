/**
 * The largest total size of the bodies that one commit deletes, unless a single body is larger.
 * Freeing the pages of a 25 MiB body takes tens of milliseconds.
 */
export const SLICE_BYTES = 16 * 1024 * 1024;

export interface DoomedEvent {
  endpointKey: number;
  seq: number;
  status: number;
  /** The body size, bytes. */
  size: number;
}

/** Columns of `events e` for a `DoomedEvent`. */
export const DOOMED_COLUMNS = 'e.endpoint_key AS "endpointKey", e.seq, e.status, e.size';

/** Returns the first rows whose bodies fit in one slice, at least one row. */
export function firstSlice<T extends { size: number }>(rows: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }, i) => {
    bytes += size;
    return i > 0 && bytes > SLICE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
