import type { Reach } from '../../core/flow/after-attempt.ts';
import type { BreakerTerms } from '../../core/flow/breaker-terms.ts';
import type { Attempt, Destination, EventStatus } from '../../core/model.ts';
import type { Source } from '../../core/proof/source.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { ClaimedDelivery, ClaimTerms, DueTerms } from './claims.ts';
import type { EventContent } from './events.ts';

export interface QueueStore {
  /**
   * Claims due deliveries that no live claim holds, the longest due of each destination
   * first. Claims at most `perDestination` of each destination (or what `depths` has for
   * it), `limit` and `unhealthyLimit` in all, and none of the destinations in `skip`. Where it claims
   * fewer than allowed of a destination, no more is due there, or another node is
   * claiming it now. When both limits cut, healthy and unhealthy ones each have their share.
   * Claims none that is behind another one of its order key, unless a person retries it.
   * Of a controlled destination it claims what `core/flow/permits.ts` allows: a probe of
   * an open breaker, the next steps of a ramp, starts that the rate has left.
   */
  claimDue(now: number, terms: DueTerms): Promise<ClaimedDelivery[]>;
  /**
   * Reads what each claim sends and where, and renews the claims until `leaseUntil`, for
   * attempts that start now. Results are in the order of the claims. The destination is
   * read now: no change that was answered before this call is missed. Null where the claim
   * is no longer live (superseded, cancelled, claimed again), the event is gone, or the
   * destination is paused, disabled, or held by a breaker or a `Retry-After` that began
   * after the claim. Such a claim is released.
   */
  begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
    now: number,
  ): Promise<(Outgoing | null)[]>;
  /**
   * When to look for due deliveries again: when the next unclaimed one is due, or when
   * what holds a controlled destination ends. Without destinations in `skip`, and of those
   * in `only`, where it is given. Null where
   * nothing is open, or only a change or a settled attempt lets deliveries go.
   *
   * @param terms those of the look
   */
  nextDueAt(
    now: number,
    skip: ReadonlySet<number>,
    only?: ReadonlySet<number>,
    terms?: Pick<ClaimTerms, 'grants' | 'slots'>,
  ): Promise<number | null>;
  /** Extends claims that wait for their turn. Ignores unknown tokens. */
  renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void>;
  /**
   * Moves the due times of open deliveries, and the times of flows, by `byMs` after the wall clock was set.
   * Without it, a delivery that was due in seconds is due in an hour, or at once. `only`
   * restricts it to due times after `after` and before `before`: times written by the new
   * clock stay. When several nodes saw the change, it happens once.
   */
  shiftDue(byMs: number, only?: { after: number; before: number }): Promise<void>;
  /**
   * Gives claims back unused: the deliveries are due as before. Ignores unknown tokens. With
   * several nodes, starts that a rate granted to them count no longer.
   */
  release(claims: readonly ClaimedDelivery[]): Promise<void>;
  /**
   * Records attempts and moves their deliveries on. The attempt is always appended, once
   * by its id, unless its event is gone (null). The delivery changes only if the claim is
   * still live: not superseded, cancelled, claimed again or settled before. The attempt's
   * number follows the highest on record of its delivery, so that a late attempt repeats
   * none. The same commit updates counters, the event's status and the destination's flow.
   * Where the delivery ends, the next one of its order key is no longer behind it. The
   * same commit counts deliveries of a job. One result for each settlement, in order.
   */
  settle(
    settlements: readonly Settlement[],
    breaker: BreakerTerms,
  ): Promise<(SettledAttempt | null)[]>;
}

/** What an attempt sends and where. */
export interface Outgoing {
  /** The current destination. A removed one as it was last. */
  destination: Destination;
  /** `damaged` where the stored bytes can't be read. The claim is live, so that a failed attempt is recorded. */
  request: OutgoingRequest | 'damaged';
  /** Signs the attempt as the provider does; null unless the destination's `sign_as` asks for it. */
  signer: { endpointId: string; publicToken: string; source: Source | null } | null;
}

/** The captured request that a delivery passes on. */
export interface OutgoingRequest extends EventContent {
  verification: Verification;
  method: string;
  path: string;
}

export interface Settlement {
  claim: ClaimedDelivery;
  attempt: Pick<
    Attempt,
    | 'id'
    | 'destinationUrl'
    | 'responseCode'
    | 'responseHeaders'
    | 'responseBody'
    | 'responseTruncated'
    | 'durationMs'
    | 'error'
    | 'attemptedAt'
    | 'requestHeaders'
    | 'ruleVersion'
  >;
  /** Whether a time limit ended the attempt. It changes the destination's health. */
  timedOut: boolean;
  reach: Reach;
  /** How long a 429 or 503 asks the whole destination to wait, ms. */
  holdMs: number | null;
  /** `held`: a failed probe leaves the delivery as it was, with its due time and its attempts. */
  next: { state: 'succeeded' | 'dead' | 'held' } | { state: 'pending'; nextAttemptAt: number };
}

/** A recorded attempt, with the account and endpoint whose live streams show it. */
export interface SettledAttempt {
  attempt: Attempt;
  eventSeq: number;
  eventStatus: EventStatus;
  userId: string;
  endpointKey: number;
}
