/**
 * How many of the server's slots a destination gets, by its last attempt.
 *
 * | class | its last attempt | slots |
 * |---|---|---|
 * | untried | none has ended yet | one |
 * | in time | gave its slot back before the deadline, with any answer | as many as one destination may have |
 * | timed out | kept its slot until the deadline or a flood limit | one |
 *
 *     untried ── in time ──▶ in time ── timed out ──▶ timed out ── in time ──▶ in time
 *     untried ── timed out ──▶ timed out
 *
 * Each attempt of a live claim moves the class: at once in the dispatcher, and in the transaction
 * that records the attempt. Nothing leads back to untried.
 *
 * The class decides slots only. People see the destination's health and breaker (`flow/flow.ts`).
 */
export interface SlotClass {
  readonly state: 'untried' | 'in time' | 'timed out';
}

export const UNTRIED: SlotClass = { state: 'untried' };
export const IN_TIME: SlotClass = { state: 'in time' };
export const TIMED_OUT: SlotClass = { state: 'timed out' };

/** The class after one more attempt: `slotClass` itself where nothing changes. */
export function nextSlotClass(
  slotClass: SlotClass,
  { timedOut }: { timedOut: boolean },
): SlotClass {
  const next = timedOut ? TIMED_OUT : IN_TIME;
  return next.state === slotClass.state ? slotClass : next;
}

export function hasManySlots({ state }: SlotClass): boolean {
  return state === 'in time';
}

/**
 * Attempts that a destination may have under way at once.
 *
 * @param most for a destination with many slots
 */
export function slotsFor(slotClass: SlotClass, most: number): number {
  return hasManySlots(slotClass) ? most : 1;
}
