/*
 * The time of sending, inside a body. Linux's monotonic clock is one for all
 * processes of a machine, so that the receiver can tell how long it took.
 */

const MARK = '"sent_at_us":"';
const DIGITS = 18;

function nowUs(): bigint {
  return process.hrtime.bigint() / 1000n;
}

/** Always equally long, so that it can take the place of other text. */
export function stampSentAt(json: string): string {
  return `{${MARK}${String(nowUs()).padStart(DIGITS, '0')}",${json.slice(1)}`;
}

/** Null when the body carries none. */
export function sentAtOf(body: Buffer): { elapsedMs(): number } | null {
  const arrivedUs = nowUs();
  const at = body.indexOf(MARK);
  if (at === -1) return null;
  const start = at + MARK.length;
  const sentUs = BigInt(body.toString('latin1', start, start + DIGITS));
  return { elapsedMs: () => Number(arrivedUs - sentUs) / 1000 };
}
