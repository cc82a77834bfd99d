import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import { newId } from '../../../core/ids.ts';
import type { RejectedRequest } from '../../../core/model.ts';
import { rejectedBytes } from '../../../core/proof/rejected-limits.ts';
import type { EventContent } from '../../contract/events.ts';
import { Columns, type RowOf } from '../columns.ts';
import { type ContentRow, contentOf } from '../events/event-content.ts';
import { proofColumns, rejectionOf } from '../events/stored-proof.ts';

export const NEW_REJECTED = new Columns({
  id: 'text',
  endpointKey: 'bigint',
  method: 'text',
  path: 'text',
  query: 'text',
  headers: 'text',
  contentType: 'text?',
  provider: 'text?',
  eventType: 'text?',
  sourceIp: 'text',
  receivedAt: 'bigint',
  proof: 'text?',
  size: 'integer',
});

type RefusedRequest = Omit<CapturedRequest, 'rawHeaders' | 'body'> & {
  /** JSON. */
  headers: string;
  body: { length: number };
};

export function newRejectedRow(
  request: RefusedRequest,
  endpointKey: number,
): RowOf<typeof NEW_REJECTED> {
  return {
    ...request,
    id: newId('rej', request.receivedAt),
    endpointKey,
    proof: proofColumns(request.verdict?.verification ?? null).proof,
    size: rejectedBytes(request),
  };
}

export interface RejectedRow extends Omit<RejectedRequest, 'verification'> {
  proof: string;
}

/** Columns of `rejected_requests r` for a `RejectedRow`. */
export const REJECTED_COLUMNS = `
  r.id, r.method, r.path, r.content_type AS "contentType", octet_length(r.body) AS size,
  r.provider, r.event_type AS "eventType", r.source_ip AS "sourceIp",
  r.received_at AS "receivedAt", r.proof`;

export function rejectedOf({ proof, ...row }: RejectedRow): RejectedRequest {
  return { ...row, verification: rejectionOf(proof) };
}

export function rejectedWithContent({ query, headers, body, ...row }: RejectedRow & ContentRow): {
  rejected: RejectedRequest;
  content: EventContent;
} {
  return { rejected: rejectedOf(row), content: contentOf({ query, headers, body }) };
}
