import type { Attempt, Destination, EventStatus } from '../../core/model.ts';
import type { ClaimedDelivery, ClaimTerms } from './claims.ts';
import type { EventContent } from './events.ts';

export interface QueueStore {
  /**
   * Claims deliveries whose time has come and that no live claim holds: the
   * longest due of each destination first, at most `perDestination` of one and
   * `limit` and `unhealthyLimit` in all, none of the destinations in `skip`. Fewer of
   * one than may be claimed of it mean that nothing else of it is due, or somebody
   * else is claiming it now. When both kinds are cut short, each has its share.
   */
  claimDue(now: number, terms: ClaimTerms & { perDestination: number }): Promise<ClaimedDelivery[]>;
  /**
   * What to send for each claim and where, in order, and the claims renewed until
   * `leaseUntil`, for attempts that start now. The destination is read now: no
   * change of it that was answered before this call is missed. Null where the claim is no
   * longer live (superseded, cancelled, claimed anew) or the event is gone.
   */
  begin(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<(Outgoing | null)[]>;
  /** When the next unclaimed delivery of a destination not in `skip` is due; null if none is. */
  nextDueAt(now: number, skip: ReadonlySet<number>): Promise<number | null>;
  /** Keeps claims that wait for their turn. Unknown tokens are passed over. */
  renew(claims: readonly ClaimedDelivery[], leaseUntil: number): Promise<void>;
  /**
   * Moves the times of open deliveries by `byMs`: the wall clock was set, and
   * what was due in seconds would else be due in an hour, or at once. With
   * `only`, those later than `after` and before `before` alone: what was written
   * by the new time already stays. Once, when several nodes saw it.
   */
  shiftDue(byMs: number, only?: { after: number; before: number }): Promise<void>;
  /** Gives claims back unused: the deliveries are due as before. Unknown tokens are passed over. */
  release(claims: readonly ClaimedDelivery[]): Promise<void>;
  /**
   * Records attempts and moves their deliveries on. The attempt is always
   * appended, once by its id, unless its event is gone (null). The delivery
   * changes only if the claim is still live: not superseded, cancelled,
   * claimed anew or settled before. An attempt is numbered after all of its delivery
   * that are on record, so that a late one repeats no number. Counters and the event's status follow in
   * the same commit. One result for each settlement, in order.
   */
  settle(settlements: readonly Settlement[]): Promise<(SettledAttempt | null)[]>;
}

/** What an attempt sends, and where. */
export interface Outgoing {
  /** As it is now; a removed one as it was last. */
  destination: Destination;
  /** `damaged` where the stored bytes can't be read: the claim is live, for an attempt that fails on record. */
  request: OutgoingRequest | 'damaged';
}

/** The captured request that a delivery passes on. */
export interface OutgoingRequest extends EventContent {
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
  >;
  /** The attempt kept its slot until a limit ended it: moves the destination's health. */
  timedOut: boolean;
  next: { state: 'succeeded' | 'dead' } | { state: 'pending'; nextAttemptAt: number };
}

/** An attempt on record, with what a live stream needs to know who may see it. */
export interface SettledAttempt {
  attempt: Attempt;
  eventStatus: EventStatus;
  userId: string;
  endpointKey: number;
}
