import type { Reach } from '../../core/flow/after-attempt.ts';
import type { BreakerTerms } from '../../core/flow/breaker-terms.ts';
import type { Attempt, Destination, EventStatus } from '../../core/model.ts';
import type { Source } from '../../core/proof/source.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { ClaimedDelivery, ClaimTerms, DueTerms } from './claims.ts';
import type { EventContent } from './events.ts';

export interface QueueStore {
  /**
   * Claims due deliveries without a live claim, the longest due of each destination first.
   *
   * It claims at most `perDestination` of each destination (or its entry in `depths`), and
   * at most `limit` and `oneSlotLimit` in total. It skips the destinations in `skip`. If it
   * claims fewer of a destination than allowed, no more are due there, or another node is
   * claiming them. If both limits cut, destinations with one slot and those with many each get a share.
   *
   * It claims no delivery behind another one of its order key, unless a person retries it.
   * Of a controlled destination it claims what `core/flow/permits.ts` allows: a probe of an
   * open breaker, the next steps of a ramp, and starts that the rate has left.
   */
  claimDue(now: number, terms: DueTerms): Promise<ClaimedDelivery[]>;
  /**
   * Starts attempts: renews the claims until `leaseUntil`, and reads what each sends and
   * where, in the order of the claims. It reads the destinations now, so it sees every
   * change that was answered before this call.
   *
   * Null, and the claim is released, if the claim is no longer live (superseded, cancelled,
   * claimed again), if the event is gone, or if the destination is paused, disabled, or held
   * by a breaker or a `Retry-After` that began after the claim.
   */
  begin(
    claims: readonly ClaimedDelivery[],
    leaseUntil: number,
    now: number,
  ): Promise<(Outgoing | null)[]>;
  /**
   * When to call `claimDue` again: when the next unclaimed delivery is due, or when a hold of
   * a controlled destination ends. Skips the destinations in `skip`, and all but `only` if
   * that is given. Null if nothing is open, or if only a change or a settled attempt can let
   * deliveries go.
   *
   * @param terms those of the last `claimDue`
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
   * Moves the due times of open deliveries and the times of flows by `byMs`, after somebody
   * set the wall clock. Otherwise a delivery that is due in seconds could become due in an
   * hour, or at once. `only` limits this to due times after `after` and before `before`, so
   * that times of the new clock stay. If several nodes see the change, it happens once.
   */
  shiftDue(byMs: number, only?: { after: number; before: number }): Promise<void>;
  /**
   * Gives claims back unused: their deliveries are due as before. Ignores unknown tokens.
   * With several nodes, this also gives back the starts that a rate granted.
   */
  release(claims: readonly ClaimedDelivery[]): Promise<void>;
  /**
   * Records attempts and changes their deliveries. Returns one result for each settlement,
   * in order.
   *
   * It appends each attempt once, by its id; null if the event is gone. The attempt's number
   * follows the highest on record of its delivery, so that a late attempt repeats none. The
   * delivery changes only if the claim is still live: not superseded, cancelled, claimed
   * again or settled.
   *
   * The same commit updates the counters, the event's status, the destination's flow and the
   * counts of the job. If the delivery ends, the next one of its order key may go.
   */
  settle(
    settlements: readonly Settlement[],
    breaker: BreakerTerms,
  ): Promise<(SettledAttempt | null)[]>;
}

/** What an attempt sends and where. */
export interface Outgoing {
  /** The current destination; a removed one as it was at its removal. */
  destination: Destination;
  /** `damaged` if the stored bytes can't be read. The claim stays live, for a failed attempt. */
  request: OutgoingRequest | 'damaged';
  /** Signs the attempt as the provider does; null unless the destination's `sign_as` is set. */
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
  /** Whether a time limit ended the attempt, which changes the destination's health. */
  timedOut: boolean;
  reach: Reach;
  /** How long the destination asked to wait, by a 429 or 503, ms. */
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
