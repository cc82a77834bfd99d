import { HookrelayError } from '../core/errors.ts';
import { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { Endpoint, EventSummary } from '../core/model.ts';
import type { EventContent } from '../store/contract/events.ts';
import type { ReceivedRequest } from './commit-request.ts';

/** The limit of the target and the headers together. It is the same as for a sender's request. */
const MOST_HEAD_CHARACTERS = 16 * 1024;
/** Characters that separate the parts of a header: the colon, the space and the line end. */
const SEPARATORS = 4;
const ENCODING = 'content-encoding';

/** The new values of one header; null removes the header. */
export type HeaderEdit = [name: string, values: readonly string[] | null];

export interface RequestEdits {
  method?: string | undefined;
  path?: string | undefined;
  query?: string | undefined;
  /** Each name appears once. */
  headers?: readonly HeaderEdit[] | undefined;
  body?: Buffer | undefined;
}

export interface OriginalRequest {
  endpoint: Pick<Endpoint, 'publicToken'>;
  event: Pick<EventSummary, 'id' | 'method' | 'path' | 'sourceIp'>;
  content: EventContent;
}

/**
 * Returns the request of an edited copy. Its `content-length` is the length of its own body.
 *
 * Throws `invalid_input` if the target and the headers are longer than a sender's may be.
 */
export function editedRequest(
  { endpoint, event, content }: OriginalRequest,
  edits: RequestEdits,
): Omit<ReceivedRequest, 'receivedAt'> {
  const { method = event.method, path = event.path, query = content.query } = edits;
  const body = edits.body ?? content.body;
  const edited = withEdits(content.rawHeaders, headerEdits(edits));
  const isHeadEdited = [edits.path, edits.query, edits.headers].some((one) => one !== undefined);
  if (isHeadEdited) refuseLongHead(path.length + query.length, edited);
  const rawHeaders = edits.body || edits.headers ? withLength(edited, body.length) : edited;
  return {
    publicToken: endpoint.publicToken,
    method,
    path,
    query,
    rawHeaders,
    body: new BorrowedBody(body),
    contentType: valuesOf(rawHeaders, 'content-type')[0] ?? null,
    sourceIp: event.sourceIp,
    editedFrom: event.id,
  };
}

/** Removes `content-encoding` if the body is new, because a new body isn't compressed. */
function headerEdits({ headers = [], body }: RequestEdits): readonly HeaderEdit[] {
  const isSet = headers.some(([name]) => name.toLowerCase() === ENCODING);
  return body === undefined || isSet ? headers : [...headers, [ENCODING, null]];
}

/** Replaces each edited header at the first place of its name, and appends new headers. */
function withEdits(rawHeaders: readonly string[], edits: readonly HeaderEdit[]): string[] {
  const left = new Map(edits.map((edit) => [edit[0].toLowerCase(), edit]));
  const edited = new Set(left.keys());
  const headers: string[] = [];
  const put = (edit: HeaderEdit | undefined): void => {
    for (const value of edit?.[1] ?? []) headers.push((edit as HeaderEdit)[0], value);
  };
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (!edited.has(name)) headers.push(rawHeaders[i] as string, rawHeaders[i + 1] as string);
    put(left.get(name));
    left.delete(name);
  }
  for (const edit of left.values()) put(edit);
  return headers;
}

function withLength(rawHeaders: string[], bytes: number): string[] {
  const lengths = valuesOf(rawHeaders, 'content-length');
  if (valuesOf(rawHeaders, 'transfer-encoding').length > 0) {
    return withEdits(rawHeaders, [['Content-Length', null]]);
  }
  const isRight = lengths.length === 0 ? bytes === 0 : lengths.every((one) => one === `${bytes}`);
  return isRight ? rawHeaders : withEdits(rawHeaders, [['Content-Length', [`${bytes}`]]]);
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}

function refuseLongHead(targetCharacters: number, rawHeaders: readonly string[]): void {
  const characters = rawHeaders.reduce((sum, text) => sum + text.length, targetCharacters);
  if (characters + (rawHeaders.length / 2) * SEPARATORS <= MOST_HEAD_CHARACTERS) return;
  const message = 'path, query and headers must be at most 16 KiB together';
  throw new HookrelayError('invalid_input', message, { issues: [{ path: 'headers', message }] });
}
