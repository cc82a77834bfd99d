import type { WaitReason } from '../../core/flow/waits-for.ts';
import type { UnjudgedReason } from '../../core/judging/unjudged.ts';
import type { DeliveryError, ShownState, Trigger } from '../../core/model.ts';

/** Why an event couldn't be judged. */
export interface Unjudged {
  reason: UnjudgedReason;
}

export interface Delivery {
  id: string;
  /** Null for a one-off URL. */
  destination_id: string | null;
  destination_url: string;
  trigger: Trigger;
  state: ShownState;
  attempts: number;
  next_attempt_at: string | null;
  waits_for: WaitReason | null;
  /** That of its event; null for one that a filter dropped. */
  unjudged: Unjudged | null;
}

/** A delivery as a thing of its own. */
export interface ListedDelivery {
  id: string;
  event_id: string;
  /** Null for a one-off URL. */
  destination_id: string | null;
  /** Where the next attempt goes. */
  destination_url: string;
  state: ShownState;
  attempts: number;
  /** Why its last attempt failed, or why it died without one. */
  error: DeliveryError | null;
  created_at: string;
  next_attempt_at: string | null;
  waits_for: WaitReason | null;
  /** That of its event; null for one that a filter dropped. */
  unjudged: Unjudged | null;
}
