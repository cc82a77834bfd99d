import type { CapturedRequest } from '../../../core/http/captured-request.ts';
import type { Verdict } from '../../../core/rules/verdict.ts';
import type { PreparedRequest } from '../writing/prepared-request.ts';
import { type JoinedBodies, joinBodies, splitBodies } from './joined-bodies.ts';

/**
 * A batch of captures on its way to the store's thread. One list holds all fields,
 * with headers as the stored text. Cloning one object and one array of headers for
 * each capture takes both threads three times as long (7.6 against 2.3 µs an event).
 */
export interface PackedRequests {
  /** The `Fields` of all requests, one after the other. */
  fields: Fields[number][];
  bodies: JoinedBodies;
}

type Fields = [
  id: string,
  publicToken: string,
  method: string,
  path: string,
  query: string,
  headers: string,
  contentType: string | null,
  sourceIp: string,
  receivedAt: number,
  provider: string | null,
  eventType: string | null,
  verdict: Verdict | undefined,
  editedFrom: string | undefined,
  accepts: string | undefined,
];
const FIELDS = 14;

export function packRequests(requests: readonly CapturedRequest[]): PackedRequests {
  const fields: Fields[number][] = [];
  for (const request of requests) {
    fields.push(
      ...([
        request.id,
        request.publicToken,
        request.method,
        request.path,
        request.query,
        JSON.stringify(request.rawHeaders),
        request.contentType,
        request.sourceIp,
        request.receivedAt,
        request.provider,
        request.eventType,
        request.verdict,
        request.editedFrom,
        request.accepts,
      ] satisfies Fields),
    );
  }
  return { fields, bodies: joinBodies(requests.map(({ body }) => ({ body: body.bytes }))) };
}

export function unpackRequests({ fields, bodies }: PackedRequests): PreparedRequest[] {
  return splitBodies(bodies).map((body, i) => {
    const [
      id,
      publicToken,
      method,
      path,
      query,
      headers,
      contentType,
      sourceIp,
      receivedAt,
      provider,
      eventType,
      verdict,
      editedFrom,
      accepts,
    ] = fields.slice(FIELDS * i, FIELDS * (i + 1)) as Fields;
    return {
      id,
      publicToken,
      method,
      path,
      query,
      headers,
      contentType,
      sourceIp,
      receivedAt,
      provider,
      eventType,
      ...(verdict && { verdict }),
      ...(editedFrom !== undefined && { editedFrom }),
      ...(accepts !== undefined && { accepts }),
      body,
    };
  });
}
