import { stateCode } from '../../shared/codes.ts';
import type { Columns, RowOf } from '../../shared/columns.ts';

/** The columns of an attempt that keep the delivery which the attempt ended with success. */
export const SUCCEEDED_DELIVERY = {
  round: 'integer?',
  attempts: 'integer?',
  probes: 'integer?',
} as const;

/** Null in each column for an attempt that ended no delivery with success. */
export type SucceededDelivery = RowOf<Columns<typeof SUCCEEDED_DELIVERY>>;

/**
 * The columns of `deliveries`, read from the attempts that ended a delivery with success. Nothing
 * needs the order key or the job of such a delivery.
 */
const SUCCEEDED = `(
  SELECT endpoint_key, event_seq, round, destination_key, delivery_id AS id, trigger,
    ${stateCode('succeeded')} AS state, attempts, probes, NULL AS error_code,
    NULL AS order_key, NULL AS job_key
  FROM attempts WHERE round IS NOT NULL)`;

/**
 * Returns a query for settled deliveries: `select` for each of the two tables that have them. A
 * view of both would be read whole where another table of the query gives the event.
 */
export function ofSettled(select: (table: string) => string): string {
  return [`deliveries`, SUCCEEDED].map(select).join(' UNION ALL ');
}
