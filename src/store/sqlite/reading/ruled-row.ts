import type { RuledRequest } from '../../../core/rules/request-parts.ts';
import { readableBody } from '../writing/stored-body.ts';

/** Columns of `events e` and `event_contents c` that rules look at. */
export const RULED_COLUMNS = `
  e.seq, e.id, e.method, e.path, e.content_type AS contentType, e.provider,
  e.event_type AS eventType, e.source_ip AS sourceIp, c.query, c.headers, c.body,
  c.uncompressed_size`;

export interface RuledRow extends Omit<RuledRequest, 'rawHeaders'> {
  seq: number;
  id: string;
  headers: string;
  uncompressed_size: number | null;
}

/** A stored request. Headers are parsed, and the body is decompressed, when a rule asks. */
export function ruledRequest({ headers, ...row }: RuledRow): RuledRequest {
  let body: Buffer | null | undefined;
  return {
    ...row,
    get rawHeaders() {
      return JSON.parse(headers) as string[];
    },
    get body() {
      body ??= readableBody(row);
      return body ?? DAMAGED;
    },
  };
}

/** A damaged body has no members: the other events are still found. */
const DAMAGED = Buffer.alloc(0);
