/**
 * Most bytes of bodies deleted in one commit, unless one body is larger: to free the
 * pages of 25 MiB takes tens of milliseconds.
 */
export const SLICE_BYTES = 16 * 1024 * 1024;

/** An event to delete. */
export interface DoomedEvent {
  endpointKey: number;
  seq: number;
  status: number;
  /** Body size in bytes. */
  size: number;
}

/** Columns of `events e` for a `DoomedEvent`. */
export const DOOMED_COLUMNS = 'e.endpoint_key AS "endpointKey", e.seq, e.status, e.size';

/** The first rows whose bodies fit in one slice; at least one. */
export function firstSlice<T extends { size: number }>(rows: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }, i) => {
    bytes += size;
    return i > 0 && bytes > SLICE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
