import { now } from '../../model/clock.ts';

/** The time, Unix ms. While something counts by it, the component is drawn each second. */
export const useNow = (isCounting: boolean): number => (isCounting ? now.value : Date.now());
