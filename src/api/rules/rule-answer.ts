import type { InferOutput } from 'valibot';
import type { ruleVersionSchema } from './rule-calls.ts';
import type { outcome, trialSchema } from './rule-trial-calls.ts';

export type RuleVersionAnswer = InferOutput<typeof ruleVersionSchema>;

export type RuleOutcome = InferOutput<typeof outcome>;

export type RuleTrialAnswer = InferOutput<typeof trialSchema>;

export type RuleTrialSample = RuleTrialAnswer['samples'][number];
