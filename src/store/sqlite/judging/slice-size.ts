/** The intended duration of a slice, ms. A slice is the work between two yields. */
const SLICE_MS = 8;
const FIRST_ROWS = 16;
const MOST_ROWS = 1000;

/**
 * The number of rows in a slice. The duration of the last slice decides, because bodies vary in
 * size.
 */
export class SliceSize {
  rows = FIRST_ROWS;

  measure<T>(look: () => T): T {
    const startedAt = performance.now();
    const seen = look();
    const factor = Math.min(2, SLICE_MS / (performance.now() - startedAt));
    this.rows = Math.min(MOST_ROWS, Math.max(1, Math.floor(this.rows * factor)));
    return seen;
  }
}
