import type { UnjudgedReason } from '../judging/unjudged.ts';
import type { Dedupe, OnceKey } from '../proof/dedupe.ts';
import type { HandshakeVerdict } from '../proof/handshake.ts';
import type { Source } from '../proof/source.ts';
import type { Verification } from '../proof/verification.ts';
import type { RuleSource } from './rule.ts';

/** The settings that judge an endpoint's requests, in one version. */
export interface JudgingSettings {
  /** The account. Accounts take turns in judging. */
  userId: string;
  version: number;
  endpointId: string;
  /** Null for an endpoint that doesn't verify its senders. */
  source: Source | null;
  dedupe: Dedupe | null;
  /** Only of destinations that have a filter or an order. */
  filters: readonly DestinationFilter[];
}

export interface DestinationFilter {
  destinationKey: number;
  ruleVersion: number;
  filter: RuleSource | null;
  /** See `DestinationSettings.order_by`. */
  orderBy: string | null;
}

/** How an endpoint's settings judge a request. */
export interface Verdict {
  /** The version of the endpoint's settings. */
  version: number;
  /** Destinations whose filters drop the request. */
  dropped: readonly DroppedBy[];
  /** The request's order keys at destinations that order. */
  orderKeys: readonly OrderKey[];
  /** Null for an endpoint without a source. */
  verification: Verification | null;
  /** Why the body couldn't be judged for a filter or a key; null where it could. */
  unjudged: UnjudgedReason | null;
  /** The key that the request claims; null without one. */
  once: OnceKey | null;
  /**
   * Set where an enforced source refuses the request, which then makes no event. With `keep`, it
   * is stored among the rejected requests.
   */
  refused: { keep: boolean } | null;
  /** Set for the source's check of the URL, which isn't delivered. */
  handshake: HandshakeVerdict | null;
}

/** A destination has one delivery under way for each key. */
export interface OrderKey {
  destinationKey: number;
  key: string;
}

export type DroppedBy = Pick<DestinationFilter, 'destinationKey' | 'ruleVersion'>;
