import { test } from 'vitest';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import {
  breakerOpensAndCloses,
  pauseAndResume,
  QUICK_BREAKER,
  rateHolds,
} from './held-destination.ts';

failOnLeaks();
const server = serverOfFile(QUICK_BREAKER);

test('a breaker opens, probes, closes, and lets go by a ramp', () =>
  breakerOpensAndCloses([server]));
test('what a pause held goes out by a ramp', () => pauseAndResume([server]));
test('a rate holds from the first capture on', () => rateHolds([server]));
