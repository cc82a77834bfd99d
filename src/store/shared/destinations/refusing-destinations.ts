import { readFlow } from '../../../core/flow/flow.ts';
import { healthState } from '../../../core/flow/health.ts';
import type { ContentFacts } from '../../contract/admin-store.ts';

/** A destination that something holds back or that doesn't succeed, as both stores read it. */
export interface FlowingDestinationRow {
  endpointId: string;
  destinationId: string;
  flow: string;
}

/** Selects all such destinations, the oldest first. */
export const FLOWING_DESTINATIONS = `
  SELECT p.id AS "endpointId", d.id AS "destinationId", d.flow
  FROM destinations d JOIN endpoints p ON p.key = d.endpoint_key
  WHERE d.flow IS NOT NULL AND d.removed_at IS NULL AND p.deleted_at IS NULL AND NOT d.one_off
  ORDER BY d.key`;

export function refusingOf(rows: readonly FlowingDestinationRow[]): ContentFacts['refusing'] {
  return rows
    .filter(({ flow }) => healthState(readFlow(flow)) === 'refusing')
    .map(({ endpointId, destinationId }) => ({ endpointId, destinationId }));
}
