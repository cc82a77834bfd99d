import type { Flow } from '../../core/flow/flow.ts';
import type { WaitingCount } from '../../core/flow/waiting.ts';
import type { Destination } from '../../core/model.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';

/**
 * The destinations of endpoints.
 *
 * A change takes effect before its promise resolves. Every attempt reads the destination's row
 * (`QueueStore.begin`), so no attempt uses older settings.
 *
 * A capture reads the endpoint's destinations inside its commit. The store's thread has no time to
 * parse bodies, so the receiving thread judges each request by the filters before the commit:
 *
 * 1. A change that affects verdicts adds 1 to `endpoints.settings_version`, in the same
 *    transaction. This interface and `EndpointStore.update` make such changes. The transaction also
 *    counts the destinations that need verdicts: those with a filter or an `order_by`.
 * 2. An endpoint needs verdicts if it has such a destination, a source or dedupe. `appendBatch`
 *    refuses a request without a verdict, or with a verdict of another version. It returns `stale`,
 *    with the present settings and filters.
 * 3. The receiving thread (`capture/judging/request-judge.ts`) caches the settings with their
 *    version. It judges the request and appends it again. It judges later requests before it
 *    appends them.
 */
export interface DestinationStore {
  /**
   * Adds a destination. Events captured from now on go to it. Returns null if the endpoint is
   * deleted. Throws `limit_reached` if the endpoint has `most` destinations.
   */
  add(endpointKey: number, destination: NewDestination, most: number): Promise<Destination | null>;
  /** Returns null if the destination is unknown or removed. */
  get(endpointKey: number, destinationId: string): Promise<Destination | null>;
  /** Returns the destinations that aren't removed, newest first. */
  list(endpointKey: number): Promise<Destination[]>;
  /**
   * Updates a destination. Later attempts use the new values, even if their deliveries were claimed
   * before. Returns null like `get`. Returns `changed`, and changes nothing, if the destination no
   * longer has the version in `change`.
   *
   * The same commit changes the destination's flow (`core/flow/after-change.ts`). The end of a
   * pause starts a ramp. After a new URL, secret or header, an open breaker probes now.
   */
  update(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
    change: ChangeStamp,
  ): Promise<Destination | 'changed' | null>;
  /**
   * Returns what delays the endpoint's destinations, and how many deliveries wait. Omits removed
   * destinations. Null for `destinationId` means all.
   */
  conditions(endpointKey: number, destinationId: string | null): Promise<DestinationCondition[]>;
  /** Lets an open breaker probe at `now`. Returns false if the destination doesn't exist. */
  probe(endpointKey: number, destinationId: string, now: number): Promise<boolean>;
  /**
   * Cancels the destination's open deliveries and returns how many it cancelled. Takes several
   * commits, because there may be a million. Keeps deliveries that are created meanwhile. Returns
   * null like `get`.
   */
  discard(endpointKey: number, destinationId: string): Promise<number | null>;
  /**
   * Returns the newest versions of the destination's filter, newest first. Returns at most
   * `RULE_VERSIONS`, or null like `get`.
   */
  rules(endpointKey: number, destinationId: string): Promise<RuleVersion[] | null>;
  /**
   * Removes a destination. Open deliveries continue to their end, unless `cancelPending` cancels
   * them. Cancelling takes several commits, because there may be a million. Returns false if the
   * destination doesn't exist.
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

/** When a setting was changed, and by whom. */
export interface ChangeStamp {
  at: number;
  /** The account's email or its API token's name; null in tests of the store. */
  by: string | null;
  /** The version of the destination on which the change is based. Default: any */
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
  /** Valid values. A missing setting doesn't change. */
  settings?: Partial<DestinationSettings>;
}
