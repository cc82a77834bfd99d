import { HookrelayError } from '../core/errors.ts';
import type { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import { newId } from '../core/ids.ts';
import type { CaptureResponse } from '../core/model.ts';
import { recognise } from '../providers/recognise.ts';
import { handshakeAnswer } from './handshake.ts';
import type { CommitResult } from './judged-commit.ts';
import { notVerified } from './not-verified.ts';

/**
 * Headers of every answer of a capture URL. Capture URLs share the dashboard's
 * origin, and an endpoint's own response may be HTML: `sandbox` and `nosniff` keep
 * it inert. Browsers may send from any origin and read the answer.
 */
export const CAPTURE_HEADERS = [
  'access-control-allow-origin',
  '*',
  'access-control-allow-methods',
  '*',
  'access-control-allow-headers',
  '*',
  'access-control-expose-headers',
  'x-hookrelay-event-id',
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  'sandbox',
  'cache-control',
  'no-store',
];

/** Statuses without a body (RFC 9110, section 6.4.1), and without a content-length. */
const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 304]);
/** A status without a body, which content-length 0 states (RFC 9110, section 15.3.6). */
const RESET_CONTENT = 205;

/** The part of a request's target after `/in/`, undecoded. */
export interface CaptureTarget {
  publicToken: string;
  path: string;
  query: string;
}

/** A request to a capture URL, received completely. */
export interface ReceivedRequest extends CaptureTarget {
  method: string;
  /** Name, value, name, value …, in order, with case and duplicates. */
  rawHeaders: string[];
  contentType: string | null;
  sourceIp: string;
  body: BorrowedBody;
  /** Arrival of the first byte, ms. */
  receivedAt: number;
  /** See `CapturedRequest`. */
  editedFrom?: string;
  accepts?: string;
  sentAt?: number;
  isComposed?: boolean;
}

/** What a commit has stored. */
export interface CommittedRequest {
  id: string;
  /** The endpoint's own response; null without one. */
  response: CaptureResponse | null;
  /** The event that it repeats; null for a first one. */
  duplicateOf: string | null;
}

type Commit = (request: CapturedRequest) => Promise<CommitResult>;

/** An answer that is ready to be sent. Its headers include the content-length. */
export interface Reply {
  status: number;
  /** Name, value, name, value … */
  headers: string[];
  /** Empty where the status allows none. */
  body: string;
}

/**
 * Commits a request with its deliveries. Returns the answer, 2xx, once that
 * commit is on disk. Throws the errors of `commitRequest`.
 */
export async function commitAndReply(received: ReceivedRequest, commit: Commit): Promise<Reply> {
  return replyTo(received, await commitRequest(received, commit));
}

/**
 * Commits a request.
 *
 * Throws `endpoint_not_found`, `endpoint_inactive`, `signature_invalid` and the errors of
 * `commit`; where it accepts a rejected one, `not_verified` and `rejected_not_found`.
 * After an error no event is stored.
 */
export async function commitRequest(
  received: ReceivedRequest,
  commit: Commit,
): Promise<CommittedRequest> {
  const id = newId('evt', received.receivedAt);
  const result = await commit({ ...received, ...recognise(received.rawHeaders), id });
  if (result.stored) {
    return { id, response: result.response, duplicateOf: result.event.duplicateOf };
  }
  switch (result.reason) {
    case 'signature_invalid':
      throw notVerified(
        received.accepts === undefined ? 'signature_invalid' : 'not_verified',
        result.verification,
      );
    case 'rejected_not_found':
      throw new HookrelayError('rejected_not_found', 'the endpoint has no such rejected request');
    default:
      throw refusal(result.reason);
  }
}

export function refusal(code: 'endpoint_not_found' | 'endpoint_inactive'): HookrelayError {
  return code === 'endpoint_inactive'
    ? new HookrelayError(code, 'this capture URL is paused; nothing was stored')
    : new HookrelayError(code, 'there is no such capture URL; nothing was stored');
}

function replyTo(request: ReceivedRequest, committed: CommittedRequest): Reply {
  const { method, query } = request;
  const { id, response: configured, duplicateOf } = committed;
  const repeats = duplicateOf === null ? '' : `,"duplicate_of":"${duplicateOf}"`;
  const { status, content_type, body } = handshakeAnswer({
    method,
    query,
    body: request.body.bytes,
  }) ??
    configured ?? {
      status: 200,
      content_type: 'application/json',
      body: `{"received":true,"event_id":"${id}"${repeats}}`,
    };
  const headers = [...CAPTURE_HEADERS, 'x-hookrelay-event-id', id];
  if (BODILESS_STATUSES.has(status)) return { status, headers, body: '' };
  if (status === RESET_CONTENT) {
    headers.push('content-length', '0');
    return { status, headers, body: '' };
  }
  headers.push('content-type', content_type, 'content-length', String(Buffer.byteLength(body)));
  return { status, headers, body };
}
