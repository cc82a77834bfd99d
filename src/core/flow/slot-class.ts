/**
 * A destination's last attempt decides how many of the server's slots the destination gets.
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
 * After each attempt of a live claim, the dispatcher updates the class at once, and the store
 * updates it in the transaction that records the attempt. No destination becomes untried again.
 *
 * The class decides only the slots. People see the destination's health and breaker
 * (`flow/flow.ts`).
 */
export interface SlotClass {
  readonly state: 'untried' | 'in time' | 'timed out';
}

export const UNTRIED: SlotClass = { state: 'untried' };
export const IN_TIME: SlotClass = { state: 'in time' };
export const TIMED_OUT: SlotClass = { state: 'timed out' };

/** Returns the class after one more attempt. Returns `slotClass` itself if it stays the same. */
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
 * Returns how many attempts a destination may have under way at once.
 *
 * @param most the number for a destination with many slots
 */
export function slotsFor(slotClass: SlotClass, most: number): number {
  return hasManySlots(slotClass) ? most : 1;
}
