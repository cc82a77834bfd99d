import { IN_TIME, type SlotClass, TIMED_OUT, UNTRIED } from '../../../core/flow/slot-class.ts';

/**
 * The column `timed_out`: null if untried, false if the last attempt was in time. SQLite stores 0
 * and 1.
 */
export type SlotClassColumn = boolean | number | null;

export function slotClassOf(timedOut: SlotClassColumn): SlotClass {
  if (timedOut === null) return UNTRIED;
  return timedOut ? TIMED_OUT : IN_TIME;
}

/** @param slotClass the class after an attempt, never `untried` */
export function slotClassColumn({ state }: SlotClass): boolean {
  return state === 'timed out';
}
