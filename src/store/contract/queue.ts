import type { Reach } from '../../core/flow/after-attempt.ts';
import type { BreakerTerms } from '../../core/flow/breaker-terms.ts';
import type { Attempt, Destination, EventStatus } from '../../core/model.ts';
import type { Source } from '../../core/proof/source.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { ClaimedDelivery, ClaimTerms, DueTerms } from './claims.ts';
import type { EventContent } from './events.ts';

export interface QueueStore {
  /**
   * Claims due deliveries that have no live claim. Of each destination, it claims those that are
   * due for longest.
   *
   * It claims at most `perDestination` of each destination (or its entry in `depths`), and at most
   * `limit` in total. `oneSlotLimit` also limits the destinations that have one slot. If both
   * limits apply, destinations with one slot and those with many each get a share. It skips the
   * destinations in `skip`. If it claims fewer of a destination than these limits allow, no more
   * are due there, or another node is claiming them.
   *
   * A delivery behind another one of its order key isn't claimed, unless a person retries it. Of a
   * controlled destination it claims what `core/flow/permits.ts` allows: a probe of an open
   * breaker, the next steps of a ramp, and the starts that the rate still allows.
   */
  claimDue(now: number, terms: DueTerms): Promise<ClaimedDelivery[]>;
  /**
   * Starts attempts. Renews the claims until `leaseUntil`, and returns what each attempt sends and
   * where, in the order of the claims. It reads the destinations during the call, so it sees every
   * change that was answered before this call.
   *
   * Returns null for a claim that can't start, and releases it. This is so when the claim is no
   * longer live (superseded, cancelled, claimed again), when the event is gone, and when the
   * destination is paused or disabled. It is also so when a breaker or a `Retry-After` holds the
   * destination, if the hold began after the claim.
   */
  begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
    now: number,
  ): Promise<(Outgoing | null)[]>;
  /**
   * Returns when to call `claimDue` again: when the next unclaimed delivery is due, or when a hold
   * of a controlled destination ends. Skips the destinations in `skip`. If `only` is given, looks
   * at these destinations only. Returns null if nothing is open, or if only a change or a settled
   * attempt can let deliveries go.
   *
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
   * Moves the due times of open deliveries and the times of flows by `byMs`, after somebody set the
   * wall clock. Otherwise a delivery that is due in seconds could become due in an hour, or at
   * once. With `only`, moves only times after `after` and before `before`, so that times of the new
   * clock stay. If several nodes notice the same change of the clock, the times move once.
   */
  shiftDue(byMs: number, only?: { after: number; before: number }): Promise<void>;
  /**
   * Gives unused claims back. Their deliveries are due as before. Ignores unknown tokens. With
   * several nodes, this also gives back the starts that a rate granted.
   */
  release(claims: readonly ClaimedDelivery[]): Promise<void>;
  /**
   * Records attempts and changes their deliveries. Returns one result for each settlement, in
   * order. A result is null if the event is gone.
   *
   * It records each attempt once, by its id. The attempt's number follows the highest one on record
   * for its delivery, so that a late attempt repeats no number. The delivery changes only if the
   * claim is still live: not superseded, cancelled, claimed again or settled.
   *
   * The same commit updates the counters, the event's status, the destination's flow and the job's
   * counts. If the delivery ends, the next one of its order key may go.
   */
  settle(
    settlements: readonly Settlement[],
    breaker: BreakerTerms,
  ): Promise<(SettledAttempt | null)[]>;
}

/** What an attempt sends, and where. */
export interface Outgoing {
  /** The destination as it is now. A removed destination is as it was at its removal. */
  destination: Destination;
  /**
   * `damaged` if the stored bytes can't be read. The claim then stays live, so that the caller can
   * record a failed attempt.
   */
  request: OutgoingRequest | 'damaged';
  /**
   * What signs the attempt as the provider does. Null unless the destination's `sign_as` is set.
   */
  signer: { endpointId: string; publicToken: string; source: Source | null } | null;
}

/** The captured request, which the delivery passes on. */
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
  /** Whether a time limit ended the attempt. This changes the destination's slot class. */
  timedOut: boolean;
  reach: Reach;
  /** How long the destination asked to wait, with a 429 or 503, ms. Null if it didn't. */
  holdMs: number | null;
  /**
   * The delivery after the attempt. `held` leaves it as it was, with its due time and its attempts,
   * because a probe failed.
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
