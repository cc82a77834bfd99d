import { now } from '../../model/clock.ts';

/** Returns the time, Unix ms. If `isCounting`, the component is drawn again each second. */
export const useNow = (isCounting: boolean): number => (isCounting ? now.value : Date.now());
