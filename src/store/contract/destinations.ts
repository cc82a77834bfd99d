import type { Flow } from '../../core/flow/flow.ts';
import type { WaitingCount } from '../../core/flow/waiting.ts';
import type { Destination } from '../../core/model.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';

/**
 * The destinations of endpoints.
 *
 * A change takes effect before its promise resolves. All nodes read the destination's row
 * for each attempt (`QueueStore.begin`), so no attempt uses older settings.
 *
 * A capture reads the endpoint's destinations inside its commit. Their filters are judged
 * before that, outside of the store's thread, which has no time to parse bodies:
 *
 * 1. A change of what verdicts depend on, here and in `EndpointStore.update`, adds 1 to
 *    `endpoints.settings_version` in its own transaction, and counts the filters.
 * 2. If an endpoint has filters, `appendBatch` refuses a request without a verdict, or with
 *    one of another version. It answers `stale`, with the present filters. An endpoint
 *    without filters needs no verdict.
 * 3. The receiving thread (`capture/judging/request-judge.ts`) keeps the filters with their
 *    version, judges the request and appends it again. It judges later requests at once.
 */
export interface DestinationStore {
  /**
   * Adds a destination, which gets the events captured from now on. Null if the endpoint is
   * deleted. Throws `limit_reached` if the endpoint has `most` destinations.
   */
  add(endpointKey: number, destination: NewDestination, most: number): Promise<Destination | null>;
  /** Null when the endpoint has no such destination or the destination was removed. */
  get(endpointKey: number, destinationId: string): Promise<Destination | null>;
  /** Newest first, without removed ones. */
  list(endpointKey: number): Promise<Destination[]>;
  /**
   * Changes what the patch names. Attempts that begin after the promise resolves use the
   * change, also those of deliveries that were claimed before. Null like `get`. `changed`
   * if the destination no longer has the version that the change is based on.
   *
   * The same commit changes the destination's flow (`core/flow/after-change.ts`): the end of
   * a pause starts a ramp; a new URL, secret or header makes an open breaker probe now.
   */
  update(
    endpointKey: number,
    destinationId: string,
    patch: DestinationPatch,
    change: ChangeStamp,
  ): Promise<Destination | 'changed' | null>;
  /**
   * What holds the endpoint's destinations back, and how much waits there: all of them, or
   * one. Leaves out removed ones.
   */
  conditions(endpointKey: number, destinationId: string | null): Promise<DestinationCondition[]>;
  /** Lets an open breaker probe at `now`. False when there is no such destination. */
  probe(endpointKey: number, destinationId: string, now: number): Promise<boolean>;
  /**
   * Cancels all open deliveries to a destination and returns their number. There may be a
   * million, so it takes several commits. Deliveries made meanwhile stay. Null like `get`.
   */
  discard(endpointKey: number, destinationId: string): Promise<number | null>;
  /** The versions of its filter, newest first, at most `RULE_VERSIONS`. Null like `get`. */
  rules(endpointKey: number, destinationId: string): Promise<RuleVersion[] | null>;
  /**
   * Removes a destination, which gets no new events. Its open deliveries run to their end,
   * or are all cancelled with `cancelPending`: there may be a million, so earlier commits
   * cancel most of them. False when there is no such destination.
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
  /** The destination's version that the change is based on. Default: any */
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
  /** Valid values. A missing setting doesn't change. */
  settings?: Partial<DestinationSettings>;
}
