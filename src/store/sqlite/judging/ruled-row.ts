import type { RuledRequest } from '../../../core/rules/request-parts.ts';
import { stateOf } from '../../shared/events/stored-proof.ts';
import { readableBody } from '../events/stored-body.ts';

/** The columns of `events e` that rules read. */
export const ROW_COLUMNS = `
  e.seq, e.id, e.method, e.path, e.content_type AS contentType, e.provider,
  e.event_type AS eventType, e.size, e.source_ip AS sourceIp, e.verification`;
/** The columns above, and the columns of `event_contents c`. */
export const RULED_COLUMNS = `${ROW_COLUMNS}, c.query, c.headers, c.body, c.uncompressed_size`;

export interface RuledRow extends Omit<RuledRequest, 'rawHeaders' | 'verification' | 'body'> {
  seq: number;
  id: string;
  size: number;
  /** The code of a state. */
  verification: number | null;
  headers: string;
  body: Buffer;
  uncompressed_size: number | null;
}

/** Replaces a damaged body, so that a search can go on. */
const DAMAGED = Buffer.alloc(0);

/** A stored request. It parses headers and decompresses the body only when a rule reads them. */
class RuledRowRequest implements RuledRequest {
  readonly #row: RuledRow;
  #body: Buffer | undefined;

  constructor(row: RuledRow) {
    this.#row = row;
  }

  get method(): string {
    return this.#row.method;
  }
  get path(): string {
    return this.#row.path;
  }
  get query(): string {
    return this.#row.query;
  }
  get rawHeaders(): string[] {
    return JSON.parse(this.#row.headers) as string[];
  }
  get contentType(): string | null {
    return this.#row.contentType;
  }
  get body(): Buffer {
    this.#body ??= readableBody(this.#row) ?? DAMAGED;
    return this.#body;
  }
  get size(): number {
    return this.#row.size;
  }
  get provider(): string | null {
    return this.#row.provider;
  }
  get eventType(): string | null {
    return this.#row.eventType;
  }
  get sourceIp(): string {
    return this.#row.sourceIp;
  }
  get verification(): RuledRequest['verification'] {
    return stateOf(this.#row.verification);
  }
}

export function ruledRequest(row: RuledRow): RuledRequest {
  return new RuledRowRequest(row);
}
