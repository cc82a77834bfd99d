import type { HandlerPlan } from './plan.ts';

/** The test of a handler. */
export function fastapiTest(plan: HandlerPlan): string {
  return plan.sample.eventId;
}
