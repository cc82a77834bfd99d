import type { GiveUpOn } from './retry-schema.ts';

/** 410: "the receiver is gone for good". */
const GIVE_UP_ON: GiveUpOn = [410];
/** Statuses that `4xx` excludes, because the same request may succeed later. */
const WORTH_A_RETRY = new Set([408, 429]);

/**
 * Returns the code that ends a delivery at once, in its configured form: `4xx` for a 404. Null if
 * the status is worth a retry.
 *
 * @param giveUpOn the destination's codes, or the default codes if it has none
 */
export function giveUpCode(
  status: number,
  giveUpOn: GiveUpOn = GIVE_UP_ON,
): GiveUpOn[number] | null {
  const found = giveUpOn.find((code) => {
    if (typeof code === 'number') return code === status;
    const isInClass = Math.floor(status / 100) === Number(code[0]);
    return isInClass && !(code === '4xx' && WORTH_A_RETRY.has(status));
  });
  return found ?? null;
}
