import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { RequestRows } from '../events/prepared-request.ts';
import { type JoinedBodies, joinBodies, splitBodies } from '../threads/joined-bodies.ts';

/** The fields of a request that go to the store's thread, without the headers and the body. */
type Head = Omit<CapturedRequest, 'rawHeaders' | 'body' | 'sentAt' | 'isComposed'>;

const KEYS = Object.keys({
  id: true,
  publicToken: true,
  method: true,
  path: true,
  query: true,
  contentType: true,
  sourceIp: true,
  receivedAt: true,
  provider: true,
  eventType: true,
  verdict: true,
  editedFrom: true,
  chosen: true,
  accepts: true,
} satisfies Record<keyof Head, true>) as (keyof Head)[];

type Field = Head[keyof Head];

/**
 * A batch of captures for the store's thread. It has a list for each field, and headers as JSON.
 * Cloning an object and an array of headers per capture would take three times as long.
 */
export interface PackedRequests {
  /** Omits fields that no request has. */
  fields: Map<keyof Head, Field[]>;
  headers: string[];
  bodies: JoinedBodies;
}

export function packRequests(requests: readonly CapturedRequest[]): PackedRequests {
  const fields: PackedRequests['fields'] = new Map();
  for (const key of KEYS) {
    // A loop, because V8 clones an array of `map` as a sparse one, in three times the time.
    const values: Field[] = [];
    for (const request of requests) values.push(request[key]);
    if (values.some((value) => value !== undefined)) fields.set(key, values);
  }
  const headers: string[] = [];
  for (const { rawHeaders } of requests) headers.push(JSON.stringify(rawHeaders));
  return {
    fields,
    headers,
    bodies: joinBodies(requests.map(({ body }) => ({ body: body.bytes }))),
  };
}

export function unpackRequests({ fields, headers, bodies }: PackedRequests): RequestRows[] {
  const columns = [...fields];
  return splitBodies(bodies).map((body, i) => {
    const request: Partial<Record<keyof RequestRows, unknown>> = {};
    for (const [key, values] of columns) {
      const value = values[i];
      if (value !== undefined) request[key] = value;
    }
    request.headers = headers[i];
    request.body = body;
    // `request` is complete, because KEYS is.
    return request as RequestRows;
  });
}
