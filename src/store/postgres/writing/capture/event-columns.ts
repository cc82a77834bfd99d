import type { CapturedRequest } from '../../../../core/http/captured-request.ts';
import type { EventSummary } from '../../../../core/model.ts';
import { NOT_CHECKED } from '../../../../core/proof/verification.ts';
import { statusCode, unjudgedCode } from '../../../shared/codes.ts';
import type { EndpointRow } from '../../../shared/endpoints/stored-endpoint.ts';
import { proofColumns } from '../../../shared/proof/stored-proof.ts';
import { storable } from '../../connection/storable.ts';
import { INSERT_DELIVERIES, place } from '../rounds.ts';
import { BodyColumn } from './body-column.ts';
import type { FirstEvent } from './once-keys.ts';

const RECEIVED = statusCode('received');

/** Inserts events, contents and deliveries. */
export const INSERT_BATCH = `
  WITH contents AS (
    INSERT INTO event_contents (seq, endpoint_key, query, headers, body)
    SELECT c.seq, c.endpoint_key, c.query, c.headers, substring($5::bytea FROM c.first FOR c.size)
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $6::integer[], $7::integer[])
      AS c(seq, endpoint_key, query, headers, first, size)
  ), events AS (
    INSERT INTO events (endpoint_key, seq, id, status, round, method, path, content_type, size,
      provider, event_type, source_ip, received_at, open, edited_from, verification, proof,
      duplicate_of, duplicate_conflict, unjudged)
    SELECT e.endpoint_key, e.seq, e.id, ${RECEIVED}, 1, e.method, e.path, e.content_type, e.size,
      e.provider, e.event_type, e.source_ip, e.received_at, e.open, e.edited_from, e.verification,
      e.proof, e.duplicate_of, e.duplicate_conflict, e.unjudged
    FROM unnest($2::bigint[], $1::bigint[], $8::text[], $9::text[], $10::text[], $11::text[],
      $7::integer[], $12::text[], $13::text[], $14::text[], $15::bigint[], $16::integer[],
      $17::text[], $18::smallint[], $19::text[], $20::text[], $21::boolean[],
      $22::smallint[])
      AS e(endpoint_key, seq, id, method, path, content_type, size, provider, event_type,
        source_ip, received_at, open, edited_from, verification, proof, duplicate_of,
        duplicate_conflict, unjudged)
  )
  ${INSERT_DELIVERIES(23)}`;

/** Where an event's row comes from. */
export interface NewEvent {
  request: CapturedRequest;
  endpoint: Pick<EndpointRow, 'key' | 'id'>;
  seq: number;
  /** The number of its deliveries. */
  open: number;
  /** The event whose key it repeats; null for any other. */
  first: FirstEvent | null;
}

/** New events as columns, the parameters of `INSERT_BATCH`. */
export class EventColumns {
  readonly #seqs: number[] = [];
  readonly #endpointKeys: number[] = [];
  readonly #queries: string[] = [];
  readonly #headers: string[] = [];
  readonly #bodies = new BodyColumn();
  readonly #ids: string[] = [];
  readonly #methods: string[] = [];
  readonly #paths: string[] = [];
  readonly #contentTypes: (string | null)[] = [];
  readonly #providers: (string | null)[] = [];
  readonly #eventTypes: (string | null)[] = [];
  readonly #sourceIps: string[] = [];
  readonly #receivedAt: number[] = [];
  readonly #open: number[] = [];
  // These may end early. Most events have none of them.
  readonly #editedFrom: (string | null)[] = [];
  readonly #verifications: (number | null)[] = [];
  readonly #proofs: (string | null)[] = [];
  readonly #duplicateOf: (string | null)[] = [];
  readonly #conflicts: (boolean | null)[] = [];
  readonly #unjudged: (number | null)[] = [];

  get isEmpty(): boolean {
    return this.#seqs.length === 0;
  }

  /** Adds an event, and returns its summary. */
  add({ request, endpoint, seq, open, first }: NewEvent): EventSummary {
    const row = this.#seqs.length;
    const verification = request.verdict?.verification ?? null;
    const event: EventSummary = {
      seq,
      id: request.id,
      endpointId: endpoint.id,
      status: 'received',
      method: storable(request.method),
      path: storable(request.path),
      contentType: storable(request.contentType),
      size: request.body.length,
      provider: storable(request.provider),
      eventType: storable(request.eventType),
      sourceIp: request.sourceIp,
      receivedAt: request.receivedAt,
      attempts: 0,
      outcome: null,
      editedFrom: request.editedFrom ?? null,
      verification: verification ?? NOT_CHECKED,
      duplicateOf: first?.eventId ?? null,
      isConflicting: first?.isConflicting ?? false,
      unjudged: request.verdict?.unjudged ?? null,
    };
    this.#seqs.push(seq);
    this.#endpointKeys.push(endpoint.key);
    this.#queries.push(storable(request.query));
    this.#headers.push(JSON.stringify(request.rawHeaders));
    this.#bodies.add(request.body);
    this.#ids.push(event.id);
    this.#methods.push(event.method);
    this.#paths.push(event.path);
    this.#contentTypes.push(event.contentType);
    this.#providers.push(event.provider);
    this.#eventTypes.push(event.eventType);
    this.#sourceIps.push(event.sourceIp);
    this.#receivedAt.push(event.receivedAt);
    this.#open.push(open);
    if (event.editedFrom !== null) place(this.#editedFrom, row, event.editedFrom, null);
    if (verification !== null) {
      const stored = proofColumns(verification);
      place(this.#verifications, row, stored.verification, null);
      place(this.#proofs, row, stored.proof, null);
    }
    if (first !== null) {
      place(this.#duplicateOf, row, first.eventId, null);
      place(this.#conflicts, row, first.isConflicting, null);
    }
    if (event.unjudged !== null) place(this.#unjudged, row, unjudgedCode(event.unjudged), null);
    return event;
  }

  values(): unknown[] {
    return [
      this.#seqs,
      this.#endpointKeys,
      this.#queries,
      this.#headers,
      this.#bodies.value(),
      this.#bodies.firsts,
      this.#bodies.sizes,
      this.#ids,
      this.#methods,
      this.#paths,
      this.#contentTypes,
      this.#providers,
      this.#eventTypes,
      this.#sourceIps,
      this.#receivedAt,
      this.#open,
      this.#editedFrom,
      this.#verifications,
      this.#proofs,
      this.#duplicateOf,
      this.#conflicts,
      this.#unjudged,
    ];
  }
}
