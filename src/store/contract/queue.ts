import type { Reach } from '../../core/flow/after-attempt.ts';
import type { BreakerTerms } from '../../core/flow/breaker-terms.ts';
import type { Attempt, Destination, EventStatus } from '../../core/model.ts';
import type { Source } from '../../core/proof/source.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { ClaimedDelivery, ClaimTerms, DueTerms } from './claims.ts';
import type { EventContent } from './events.ts';

export interface QueueStore {
  /**
   * Claims due deliveries without a live claim. Of each destination, claims the longest due first.
   *
   * Claims at most `perDestination` of each destination (or its entry in `depths`), and at most
   * `limit` in total. `oneSlotLimit` also limits the destinations with one slot. If both limits
   * apply, destinations with one slot and with many slots each get a share. If it claims fewer of a
   * destination than allowed, no more are due, or another node is claiming them.
   *
   * Claims a delivery behind another one of its order key only if a person retries it. Of a
   * controlled destination, claims what `core/flow/permits.ts` allows: a probe of an open breaker,
   * the next steps of a ramp, and the remaining starts of the rate.
   */
  claimDue(now: number, terms: DueTerms): Promise<ClaimedDelivery[]>;
  /**
   * Starts attempts. Renews the claims until `leaseUntil`, and returns what each attempt sends, in
   * the order of the claims. Reads the destinations during the call, so it sees every change
   * answered before.
   *
   * Returns null for a claim that can't start, and releases the claim. Reasons: the claim is no
   * longer live, the event is gone, or the destination is paused or disabled. Also if a breaker or
   * a `Retry-After` has delayed the destination since the claim.
   */
  begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
    now: number,
  ): Promise<(Outgoing | null)[]>;
  /**
   * Returns when to call `claimDue` again: when the next unclaimed delivery is due, or when a
   * controlled destination may continue. Returns null if nothing is open, or if deliveries wait for
   * a change or a settled attempt.
   *
   * @param only the only destinations to look at
   * @param terms the terms of the last `claimDue`
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
   * Moves the due times of open deliveries and the times of flows by `byMs`, after the wall clock
   * was set. Otherwise a delivery due in seconds could become due in an hour, or at once. With
   * `only`, moves only times in that range, so that times of the new clock stay. If several nodes
   * notice the same change, the times move once.
   */
  shiftDue(byMs: number, only?: { after: number; before: number }): Promise<void>;
  /**
   * Releases unused claims. Their deliveries are due as before. Ignores unknown tokens. With
   * several nodes, also returns the starts that a rate granted.
   */
  release(claims: readonly ClaimedDelivery[]): Promise<void>;
  /**
   * Records attempts and updates their deliveries. Returns one result for each settlement, in
   * order. A result is null if the event is gone.
   *
   * Records each attempt once, by its id. The attempt's number follows the highest recorded one of
   * its delivery, so a late attempt repeats no number. The delivery changes only if the claim is
   * still live: not superseded, cancelled, claimed again or settled.
   *
   * The same commit updates the counters, the event's status, the destination's flow and the job's
   * counts. If the delivery ends, the next one of its order key may start.
   */
  settle(
    settlements: readonly Settlement[],
    breaker: BreakerTerms,
  ): Promise<(SettledAttempt | null)[]>;
}

export interface Outgoing {
  /** The present destination. A removed destination is as it was at its removal. */
  destination: Destination;
  /**
   * `damaged` if the stored bytes can't be read. The claim stays live, so that the caller can
   * record a failed attempt.
   */
  request: OutgoingRequest | 'damaged';
  /** What signs the attempt as the provider does. Null if the destination has no `sign_as`. */
  signer: { endpointId: string; publicToken: string; source: Source | null } | null;
}

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
  /**
   * The event's headers as captured: name, value, name, value … The attempt sent most of them, so a
   * store can keep the other ones only. Without it, a store keeps all.
   */
  capturedHeaders?: readonly string[];
  /** Whether a time limit ended the attempt. This changes the destination's slot class. */
  timedOut: boolean;
  reach: Reach;
  /** How long the destination asked to wait, with a 429 or 503, ms. Null if it didn't. */
  holdMs: number | null;
  /**
   * The delivery after the attempt. `held`: a probe failed, so the delivery keeps its due time and
   * attempts.
   */
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
