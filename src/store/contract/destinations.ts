import type { Flow } from '../../core/flow/flow.ts';
import type { WaitingCount } from '../../core/flow/waiting.ts';
import type { Destination } from '../../core/model.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';

/**
 * The destinations of endpoints.
 *
 * A change takes effect before its promise resolves. Attempts carry no older settings:
 * `QueueStore.begin` reads the destination's row for each attempt, on every node.
 *
 * Captures read an endpoint's destinations inside their commit. Filters are judged
 * before it, off the store's thread, so that a body is parsed where there is time:
 *
 * 1. Each change here and in `EndpointStore.update` that verdicts read adds 1 to
 *    `endpoints.settings_version` in its own transaction, and counts the filters.
 * 2. `appendBatch` refuses a request of an endpoint with filters that has no verdict, or
 *    one by another version: `stale`, with the filters of now. An endpoint without
 *    filters needs no verdict and costs nothing.
 * 3. The receiving thread (`capture/judging/request-judge.ts`) keeps the filters by that version,
 *    judges the request, and appends it again. Later requests come judged.
 */
export interface DestinationStore {
  /**
   * Adds a destination, which gets the events captured from now on. Null when the
   * endpoint was deleted meanwhile. Throws `limit_reached` if the endpoint has `most`
   * destinations.
   */
  add(endpointKey: number, destination: NewDestination, most: number): Promise<Destination | null>;
  /** Null when the endpoint has no such destination or the destination was removed. */
  get(endpointKey: number, destinationId: string): Promise<Destination | null>;
  /** Newest first, without removed ones. */
  list(endpointKey: number): Promise<Destination[]>;
  /**
   * Changes what the patch names. Attempts that begin after the promise resolves use
   * the change, also for deliveries that were claimed before. Null like `get`.
   *
   * The same commit changes the destination's flow (`core/flow/after-change.ts`): the end
   * of a pause starts a ramp, a new URL, secret or header makes an open breaker probe now.
   * `changed` where the destination no longer has the version that the change is based on.
   */
  update(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
    change: ChangeStamp,
  ): Promise<Destination | 'changed' | null>;
  /**
   * What holds destinations back and how much waits there, of all of the endpoint's
   * destinations or of one. Leaves out removed ones.
   */
  conditions(endpointKey: number, destinationId: string | null): Promise<DestinationCondition[]>;
  /** Lets an open breaker probe at `now`. False when there is no such destination. */
  probe(endpointKey: number, destinationId: string, now: number): Promise<boolean>;
  /**
   * Cancels everything that waits for a destination, in several commits: there may be a
   * million. Deliveries made meanwhile stay. Returns their number; null like `get`.
   */
  discard(endpointKey: number, destinationId: string): Promise<number | null>;
  /** The versions of its filter, newest first, at most `RULE_VERSIONS`. Null like `get`. */
  rules(endpointKey: number, destinationId: string): Promise<RuleVersion[] | null>;
  /**
   * Removes a destination: it gets no new events. Its open deliveries run to their end;
   * with `cancelPending` they are all cancelled (some a little earlier: there may be a
   * million). False when there is no such destination.
   */
  remove(
    endpointKey: number,
    destinationId: string,
    now: number,
    cancelPending: boolean,
  ): Promise<boolean>;
}

export interface DestinationCondition {
  destinationId: string;
  flow: Flow;
  waiting: WaitingCount;
}

export interface NewDestination
  extends Omit<Destination, 'key' | 'version' | 'ruleVersion' | 'previousSecret' | 'sealedUrl'> {
  sealedUrl?: Destination['sealedUrl'];
  createdBy?: ChangeStamp['by'];
}

/** When a setting changed, and by whom. */
export interface ChangeStamp {
  at: number;
  /** The email of the account, or the name of its API token; null for a test of the store. */
  by: string | null;
  /** The destination's version that the change is based on; any where it is left out. */
  version?: number;
}

export interface RuleVersion {
  version: number;
  /** Null: from this version on, every event passes. */
  filter: RuleSource | null;
  changedAt: number;
  changedBy: string | null;
}

export interface DestinationPatch {
  url?: string;
  sealedUrl?: Uint8Array | null;
  sealedSecret?: Uint8Array | null;
  previousSecret?: Destination['previousSecret'];
  sealedHeaders?: Uint8Array | null;
  /** Valid values. A setting that is left out doesn't change. */
  settings?: Partial<DestinationSettings>;
}
