import type { RuleSource } from './rule.ts';

/** What an endpoint's destinations need to know of a request, as of one version of its settings. */
export interface EndpointFilters {
  /** The account, whose requests are judged in turns with those of others. */
  userId: string;
  version: number;
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

/** What an endpoint's filters say of a request. */
export interface Verdict {
  /** The version of the endpoint's settings that it was judged by. */
  version: number;
  /** Destinations whose filter the request doesn't fit. */
  dropped: readonly DroppedBy[];
  /** The values by which destinations order it. */
  orderKeys: readonly OrderKey[];
}

/** One delivery is under way for each key of a destination. */
export interface OrderKey {
  destinationKey: number;
  key: string;
}

export type DroppedBy = Pick<DestinationFilter, 'destinationKey' | 'ruleVersion'>;
