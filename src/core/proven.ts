/**
 * Whether a destination has answered in time at its last attempt. Nothing is
 * known of one that was never tried: like one that timed out, it is suspect,
 * and may take no more than its share of slots and of memory.
 */
export function isProven(destination: { timedOut: boolean | null }): boolean {
  return destination.timedOut === false;
}
