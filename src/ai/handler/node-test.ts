import type { NodeFramework } from './node-handler.ts';
import type { HandlerPlan } from './plan.ts';

/** The test of a handler. */
export function nodeTest(
  plan: HandlerPlan,
  framework: NodeFramework,
  language: 'typescript' | 'javascript',
): string {
  return `${plan.sample.eventId} ${framework.module} ${language}`;
}
