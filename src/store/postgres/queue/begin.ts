import { type Flow, readFlow } from '../../../core/flow/flow.ts';
import { holdsBack } from '../../../core/flow/permits.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { Outgoing } from '../../contract/queue.ts';
import { controlOf } from '../../shared/destinations/claimed-destination.ts';
import {
  DESTINATION_COLUMNS,
  type DestinationRow,
  destinationOf,
} from '../../shared/destinations/destination-rows.ts';
import { type ContentRow, contentOf } from '../../shared/events/event-content.ts';
import {
  type ProofColumns,
  type SourceColumns,
  sourceOf,
  verificationOf,
} from '../../shared/events/stored-proof.ts';
import { JOB_CANCELLING } from '../../shared/replays/job-state.ts';
import type { Database } from '../connection/database.ts';
import { claimArrays, liveClaims } from './live-claims.ts';

/** The request and the destination of an attempt. */
export interface BegunRow extends ContentRow, DestinationRow, ProofColumns, SourceColumns {
  deliveryId: string;
  method: string;
  path: string;
  /** Null unless attempts are signed as the provider signs. */
  endpointId: string | null;
  publicToken: string | null;
}

/**
 * Renews the leases of live claims, and returns what their attempts need. Reads an endpoint's
 * secrets only if attempts are signed.
 */
const BEGIN = `
  WITH live AS (
    UPDATE open_deliveries v SET lease_until = $1 ${liveClaims(2)}
      AND EXISTS (SELECT 1 FROM endpoints p
        WHERE p.key = v.endpoint_key AND p.deleted_at IS NULL)
      -- The deliveries of a job that is being cancelled end slice by slice.
      AND (v.job_key IS NULL OR NOT EXISTS (SELECT 1 FROM replay_jobs j
        WHERE j.key = v.job_key AND j.state = ${JOB_CANCELLING}))
    RETURNING v.id, v.endpoint_key, v.event_seq, v.destination_key
  )
  SELECT l.id AS "deliveryId", e.method, e.path, e.verification, e.proof, c.query, c.headers,
    c.body, s.id AS "endpointId", s.public_token AS "publicToken", s.source,
    s.sealed_source_secrets AS "sealedSourceSecrets", ${DESTINATION_COLUMNS}
  FROM live l
  JOIN destinations d ON d.key = l.destination_key
  JOIN events e ON e.endpoint_key = l.endpoint_key AND e.seq = l.event_seq
  JOIN event_contents c ON c.seq = e.seq
  LEFT JOIN endpoints s ON s.key = l.endpoint_key AND d.settings LIKE '%"sign_as":%'`;

export function beginAll(
  db: Database,
  claims: readonly ClaimedDelivery[],
  leaseUntil: number,
): Promise<BegunRow[]> {
  return db.leaseRows<BegunRow>(BEGIN, [leaseUntil, ...claimArrays(claims)], 'begin');
}

/**
 * Returns whether the claim must wait after all, for example because the node has lost its slots.
 */
export function isHeldBack(
  row: Pick<BegunRow, 'settings' | 'flow'>,
  claim: ClaimedDelivery,
  node: string,
  now: number,
): boolean {
  const { settings } = controlOf(row);
  const flow = readFlow(row.flow);
  if (claim.destination.slots !== null && slotsUntil(flow, node) <= now) return true;
  return holdsBack(settings, flow, claim, now);
}

/** Returns when the node's slots end, Unix ms. Returns 0 if the node has none. */
export function slotsUntil({ slots }: Flow, node: string): number {
  return slots.find((one) => one.node === node && one.slots > 0)?.until ?? 0;
}

export function outgoingOf(row: BegunRow): Outgoing {
  const { method, path } = row;
  const request = { ...contentOf(row), method, path, verification: verificationOf(row) };
  const destination = destinationOf(row);
  const { endpointId, publicToken } = row;
  // Check the setting here too. The query searches the settings' text for the setting's name, which
  // another setting's value may contain.
  const isSigned =
    endpointId !== null && publicToken !== null && destination.settings.sign_as === 'provider';
  const signer = isSigned ? { endpointId, publicToken, source: sourceOf(row) } : null;
  return { destination, request, signer };
}
