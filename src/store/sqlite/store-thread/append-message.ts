import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { RequestRows } from '../events/prepared-request.ts';
import { type JoinedBodies, joinBodies, splitBodies } from '../threads/joined-bodies.ts';

/** The part of a request that the store's thread gets, without its headers and its body. */
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
  accepts: true,
} satisfies Record<keyof Head, true>) as (keyof Head)[];

type Field = Head[keyof Head];

/**
 * A batch of captures on its way to the store's thread: a list for each field, and headers as
 * JSON. Cloning an object and an array of headers for each capture takes three times as long.
 */
export interface PackedRequests {
  /** Leaves out fields that no request has. */
  fields: Map<keyof Head, Field[]>;
  headers: string[];
  bodies: JoinedBodies;
}

export function packRequests(requests: readonly CapturedRequest[]): PackedRequests {
  const fields: PackedRequests['fields'] = new Map();
  for (const key of KEYS) {
    // Pushed: V8 clones an array of `map` as a sparse one, which takes three times as long.
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
    // Complete, as KEYS is.
    return request as RequestRows;
  });
}
