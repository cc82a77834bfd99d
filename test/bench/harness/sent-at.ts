/*
 * The time of sending, inside a body. Linux's monotonic clock is the same for all
 * processes of a machine, so the receiver can compute the delay.
 */

const MARK = '"sent_at_us":"';
const DIGITS = 18;

function nowUs(): bigint {
  return process.hrtime.bigint() / 1000n;
}

/** Has a constant length, so that it can replace other text. */
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
