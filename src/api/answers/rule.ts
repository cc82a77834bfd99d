/** A version of a destination's rule. */
export interface RuleVersion {
  version: number;
  /** As it was written; null: every event passes. */
  filter: unknown;
  transform: null;
  changed_at: string;
  /** The email of the account, or the name of its API token. */
  changed_by: string | null;
}

/** What a rule says of an event. */
export type Outcome = 'matched' | 'dropped';

/** A rule tried on past events. */
export interface RuleTrial {
  tried: number;
  matched: number;
  dropped: number;
  /** Events with a value that an operator of the rule can't take. They count above too. */
  failed: number;
  /** Events whose outcome differs from the present rule's, newest first. */
  changed: { event_id: string; before: Outcome; after: Outcome }[];
  /** The number of such events; `changed` holds at most 1000. */
  changed_total: number;
  samples: RuleTrialSample[];
}

export interface RuleTrialSample {
  event_id: string;
  output: Outcome;
  /** The value that an operator can't take. */
  error?: string;
  logs: string[];
  diff: null;
}
