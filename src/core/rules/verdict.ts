import type { UnjudgedReason } from '../judging/unjudged.ts';
import type { Dedupe, OnceKey } from '../proof/dedupe.ts';
import type { HandshakeVerdict } from '../proof/handshake.ts';
import type { Source } from '../proof/source.ts';
import type { Verification } from '../proof/verification.ts';
import type { RuleSource } from './rule.ts';

/** One version of the settings by which an endpoint's requests are judged. */
export interface JudgingSettings {
  /** The account of the endpoint. Accounts take turns when requests are judged. */
  userId: string;
  version: number;
  endpointId: string;
  /** Null for an endpoint that doesn't verify its senders. */
  source: Source | null;
  dedupe: Dedupe | null;
  /** Lists only destinations that have a filter or an order. */
  filters: readonly DestinationFilter[];
}

export interface DestinationFilter {
  destinationKey: number;
  ruleVersion: number;
  filter: RuleSource | null;
  /** See `DestinationSettings.order_by`. */
  orderBy: string | null;
}

/** The result of judging a request by its endpoint's settings. */
export interface Verdict {
  /** The version of the endpoint's settings. */
  version: number;
  /** Destinations whose filters drop the request. */
  dropped: readonly DroppedBy[];
  /** The request's order keys, at destinations with an `order_by`. */
  orderKeys: readonly OrderKey[];
  /** Null for an endpoint without a source. */
  verification: Verification | null;
  /** Why the body couldn't be judged for a filter or a key. Null if it could. */
  unjudged: UnjudgedReason | null;
  /** The key by which repeated requests are recognised. Null if the request has none. */
  once: OnceKey | null;
  /**
   * Set if an enforced source refuses the request, so that no event is made of it. With `keep`, the
   * request is stored among the rejected requests.
   */
  refused: { keep: boolean } | null;
  /** Set if the request is a handshake: the provider's check of the URL, which isn't delivered. */
  handshake: HandshakeVerdict | null;
}

/** A destination has at most one delivery under way for each of its order keys. */
export interface OrderKey {
  destinationKey: number;
  key: string;
}

export interface DroppedBy extends Pick<DestinationFilter, 'destinationKey' | 'ruleVersion'> {
  /** Present if the filter drops the request because an operator can't take a value. */
  isUncomparable?: true;
}
