/**
 * The class that decides how many of the server's slots a destination gets. Its last attempt
 * decides the class.
 *
 * TABLE
 *
 * After each attempt of a live claim, the dispatcher updates the class at once. The store updates
 * it in the transaction that records the attempt. No destination becomes untried again.
 *
 * People see the destination's health and breaker (`flow/flow.ts`), not the class.
 */
export interface SlotClass {
  readonly state: 'untried' | 'in time' | 'timed out';
}

export const UNTRIED: SlotClass = { state: 'untried' };
export const IN_TIME: SlotClass = { state: 'in time' };
export const TIMED_OUT: SlotClass = { state: 'timed out' };

/** Returns the class after one more attempt, or `slotClass` itself if nothing changed. */
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
 * Returns the largest number of attempts that a destination may have under way.
 *
 * @param most the number for a destination with many slots
 */
export function slotsFor(slotClass: SlotClass, most: number): number {
  return hasManySlots(slotClass) ? most : 1;
}
