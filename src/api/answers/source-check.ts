import type { SourceHintCode } from '../../core/proof/source-hints.ts';

/** How the newest events would fare under a source. */
export interface SourceCheck {
  checked: number;
  verified: number;
  /** The number of events by reason. */
  failed: Record<string, number>;
  /** Events that were not checked: edited copies, unsigned checks of the URL, and bodies that are too large. */
  skipped: number;
  /** Whether time or bytes ran out before the newest `last` events were checked. */
  ended_early: boolean;
  /** What is wrong with the source or on the way to it. */
  hints: SourceHint[];
}

export interface SourceHint {
  code: SourceHintCode;
  message: string;
  /** Which of the secrets, from 1; null for a hint of none in particular. */
  secret: number | null;
  /** The number of events that tell it. */
  events: number;
}
