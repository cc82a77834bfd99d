import type { InferOutput } from 'valibot';
import type { ruleVersionSchema } from './rule-calls.ts';
import type { outcome, trialSchema } from './rule-trial-calls.ts';

/** A version of a destination's rule. */
export type RuleVersionAnswer = InferOutput<typeof ruleVersionSchema>;

/** The verdict of a rule on an event. */
export type RuleOutcome = InferOutput<typeof outcome>;

/** The result of a rule on past events. */
export type RuleTrialAnswer = InferOutput<typeof trialSchema>;

export type RuleTrialSample = RuleTrialAnswer['samples'][number];
