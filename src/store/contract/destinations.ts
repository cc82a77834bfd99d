import type { Flow } from '../../core/flow/flow.ts';
import type { WaitingCount } from '../../core/flow/waiting.ts';
import type { Destination } from '../../core/model.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';

/**
 * The destinations of endpoints.
 *
 * A change takes effect before its promise resolves. For each attempt, all nodes read the
 * destination's row (`QueueStore.begin`), so no attempt uses older settings.
 *
 * A capture reads the endpoint's destinations inside its commit. It can't judge the request by
 * their filters there, because the store's thread has no time to parse bodies. So the receiving
 * thread judges each request before the commit:
 *
 * 1. A change that affects verdicts adds 1 to `endpoints.settings_version`, in its own transaction.
 *    Such changes are made here and by `EndpointStore.update`. A change of destinations also counts
 *    the destinations that need verdicts: those with a filter or an `order_by`.
 * 2. An endpoint needs verdicts if it has such a destination, a source or dedupe. `appendBatch`
 *    then refuses a request that has no verdict, or a verdict of another version. It answers
 *    `stale`, with the present settings and filters.
 * 3. The receiving thread (`capture/judging/request-judge.ts`) keeps these with their version,
 *    judges the request and appends it again. It judges later requests before it appends them.
 */
export interface DestinationStore {
  /**
   * Adds a destination, which gets the events captured from now on. Returns null if the endpoint is
   * deleted. Throws `limit_reached` if the endpoint has `most` destinations.
   */
  add(endpointKey: number, destination: NewDestination, most: number): Promise<Destination | null>;
  /** Returns null if the endpoint has no such destination, or if the destination was removed. */
  get(endpointKey: number, destinationId: string): Promise<Destination | null>;
  /** Returns the endpoint's destinations, newest first, without removed ones. */
  list(endpointKey: number): Promise<Destination[]>;
  /**
   * Applies the patch. Attempts that begin after the promise resolves use the new values, even if
   * their deliveries were claimed before. Returns null like `get`. Returns `changed`, and changes
   * nothing, if the destination no longer has the version that the change is based on.
   *
   * The same commit changes the destination's flow (`core/flow/after-change.ts`). The end of a
   * pause starts a ramp. A new URL, secret or header makes an open breaker probe now.
   */
  update(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
    change: ChangeStamp,
  ): Promise<Destination | 'changed' | null>;
  /**
   * Returns what holds the endpoint's destinations back, and how many deliveries wait there. Null
   * for `destinationId` means all destinations. Leaves out removed ones.
   */
  conditions(endpointKey: number, destinationId: string | null): Promise<DestinationCondition[]>;
  /** Lets an open breaker probe at `now`. Returns false if there is no such destination. */
  probe(endpointKey: number, destinationId: string, now: number): Promise<boolean>;
  /**
   * Cancels all open deliveries to a destination and returns how many it cancelled. Takes several
   * commits, because there may be a million. Deliveries that are created meanwhile stay. Returns
   * null like `get`.
   */
  discard(endpointKey: number, destinationId: string): Promise<number | null>;
  /**
   * Returns the newest versions of the destination's filter, newest first, at most `RULE_VERSIONS`.
   * Returns null like `get`.
   */
  rules(endpointKey: number, destinationId: string): Promise<RuleVersion[] | null>;
  /**
   * Removes a destination. It gets no new events. Its open deliveries continue to their end. With
   * `cancelPending`, they are all cancelled instead: earlier commits cancel most of them, because
   * there may be a million. Returns false if there is no such destination.
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

/** When somebody changed a setting, and who did. */
export interface ChangeStamp {
  at: number;
  /** The email of the account, or the name of its API token; null for a test of the store. */
  by: string | null;
  /** The destination's version that the change is based on. Default: any */
  version?: number;
}

export interface RuleVersion {
  version: number;
  /** Null if every event passes from this version on. */
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
  /** Valid values. A setting that is missing here doesn't change. */
  settings?: Partial<DestinationSettings>;
}
