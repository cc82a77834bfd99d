import { now } from '../../model/clock.ts';

/** The time, Unix ms. While `isCounting`, it redraws the component each second. */
export const useNow = (isCounting: boolean): number => (isCounting ? now.value : Date.now());
