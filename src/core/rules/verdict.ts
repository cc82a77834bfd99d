import type { RuleSource } from './rule.ts';

/** The filters of an endpoint's destinations, as of one version of its settings. */
export interface EndpointFilters {
  /** The account, whose requests are judged in turns with those of others. */
  userId: string;
  version: number;
  /** Only destinations that have a filter. */
  filters: readonly DestinationFilter[];
}

export interface DestinationFilter {
  destinationKey: number;
  ruleVersion: number;
  filter: RuleSource;
}

/** What an endpoint's filters say of a request. */
export interface Verdict {
  /** The version of the endpoint's settings that it was judged by. */
  version: number;
  /** Destinations whose filter the request doesn't fit. */
  dropped: readonly DroppedBy[];
}

export type DroppedBy = Pick<DestinationFilter, 'destinationKey' | 'ruleVersion'>;
