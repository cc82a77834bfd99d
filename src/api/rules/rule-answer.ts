import type { InferOutput } from 'valibot';
import type { ruleVersionSchema } from './rule-calls.ts';
import type { outcome, trialSchema } from './rule-trial-calls.ts';

/** A version of a destination's rule. */
export type RuleVersion = InferOutput<typeof ruleVersionSchema>;

/** What a rule says of an event. */
export type Outcome = InferOutput<typeof outcome>;

/** A rule tried on past events. */
export type RuleTrial = InferOutput<typeof trialSchema>;

export type RuleTrialSample = RuleTrial['samples'][number];
