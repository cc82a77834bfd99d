import type { UnjudgedReason } from '../judging/unjudged.ts';
import type { Dedupe, OnceKey } from '../proof/dedupe.ts';
import type { HandshakeVerdict } from '../proof/handshake.ts';
import type { Source } from '../proof/source.ts';
import type { Verification } from '../proof/verification.ts';
import type { RuleSource } from './rule.ts';

/** What an endpoint's requests are judged by, as of one version of its settings. */
export interface JudgingSettings {
  /** The account, whose requests are judged in turns with those of others. */
  userId: string;
  version: number;
  endpointId: string;
  /** Null for an endpoint that doesn't verify its senders. */
  source: Source | null;
  dedupe: Dedupe | null;
  /** Only destinations that have a filter or an order. */
  filters: readonly DestinationFilter[];
}

export interface DestinationFilter {
  destinationKey: number;
  ruleVersion: number;
  filter: RuleSource | null;
  /** See `DestinationSettings.order_by`. */
  orderBy: string | null;
}

/** What an endpoint's settings say of a request. */
export interface Verdict {
  /** The version of the endpoint's settings that it was judged by. */
  version: number;
  /** Destinations whose filter the request doesn't fit. */
  dropped: readonly DroppedBy[];
  /** The values by which destinations order it. */
  orderKeys: readonly OrderKey[];
  /** Null for an endpoint without a source. */
  verification: Verification | null;
  /** Why a filter or a key couldn't be judged by its body; null where all were. */
  unjudged: UnjudgedReason | null;
  /** The key that it claims; null where it is like any other request. */
  once: OnceKey | null;
  /**
   * Set where the source is enforced and the request failed: it makes no event. It is kept
   * apart with its body if `keep`.
   */
  refused: { keep: boolean } | null;
  /** Set for a check of the URL by the endpoint's source: it is delivered nowhere. */
  handshake: HandshakeVerdict | null;
}

/** One delivery is under way for each key of a destination. */
export interface OrderKey {
  destinationKey: number;
  key: string;
}

export type DroppedBy = Pick<DestinationFilter, 'destinationKey' | 'ruleVersion'>;
