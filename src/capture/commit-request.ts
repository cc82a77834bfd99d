import { HookrelayError } from '../core/errors.ts';
import type { BorrowedBody } from '../core/http/borrowed-body.ts';
import type { CaptureResponse } from '../core/http/capture-response.ts';
import type { CapturedRequest } from '../core/http/captured-request.ts';
import type { DestinationChoice } from '../core/http/destination-choice.ts';
import { newId } from '../core/ids.ts';
import type { SignedClock } from '../core/proof/failure-text.ts';
import type { HandshakeAnswer } from '../core/proof/handshake.ts';
import type { Verification } from '../core/proof/verification.ts';
import type { Clock } from '../core/runtime/runtime.ts';
import { failedClock } from '../providers/reasons/failed-clock.ts';
import { recognise } from '../providers/recognise.ts';
import { type HandshakeEffects, handshakeAnswer } from './handshake.ts';
import type { CommitResult } from './judging/judged-commit.ts';
import { notVerified } from './judging/not-verified.ts';
import { type Reply, replyWith } from './reply.ts';

/** The part of a request's target after `/in/`, undecoded. */
export interface CaptureTarget {
  publicToken: string;
  path: string;
  query: string;
}

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
  chosen?: DestinationChoice;
  accepts?: string;
  sentAt?: number;
  isComposed?: boolean;
}

interface CommittedRequest {
  id: string;
  /** The response in the endpoint's settings; null if they have none. */
  response: CaptureResponse | null;
  /** The event that this request repeats; null if it repeats none. */
  duplicateOf: string | null;
}

type CommitJudged = (request: CapturedRequest) => Promise<CommitResult>;

export interface CommitOptions {
  commit: CommitJudged;
  effects: HandshakeEffects;
}

export interface OwnCommitOptions {
  clock: Clock;
  commit: CommitJudged;
}

/**
 * Commits a request with its deliveries. Returns the answer when the commit is on disk.
 *
 * Throws the errors of `commitOwn`, and `handshake_failed` if the effect of a handshake fails.
 */
export async function commitAndReply(
  received: ReceivedRequest,
  { commit, effects }: CommitOptions,
): Promise<Reply> {
  const id = newId('evt', received.receivedAt);
  const { provider, eventType, hasHandshakeHeader } = recognise(received.rawHeaders);
  const result = await commit({ ...received, provider, eventType, id });
  const { handshake } = result;
  if (!handshake) return replyTo(received, hasHandshakeHeader, storedAs(id, result, received));
  if (handshake.effect && !(await effects.run(received.publicToken, handshake.effect, id))) {
    throw new HookrelayError(
      'handshake_failed',
      'the event is stored, but the check of the URL could not be completed',
      {
        hint: 'let the provider check the URL again; the server’s log says what failed',
        retryAfterS: 5,
      },
    );
  }
  return replyWith(handshake.answer, result.stored ? id : null);
}

/**
 * Commits a request that the server makes itself. Its arrival is the present time. Returns the
 * event's id.
 *
 * Throws `endpoint_not_found`, `endpoint_inactive`, `signature_invalid`, `key_unavailable` and the
 * errors of `commit`. If a person accepts a rejected request, it also throws `not_verified` and
 * `rejected_not_found`. No event is stored if it throws.
 */
export async function commitOwn(
  request: Omit<ReceivedRequest, 'receivedAt'>,
  { clock, commit }: OwnCommitOptions,
): Promise<string> {
  const received = { ...request, receivedAt: clock.now() };
  const id = newId('evt', received.receivedAt);
  const { provider, eventType } = recognise(received.rawHeaders);
  return storedAs(id, await commit({ ...received, provider, eventType, id }), received).id;
}

function storedAs(id: string, result: CommitResult, received: ReceivedRequest): CommittedRequest {
  if (result.stored) {
    return { id, response: result.response, duplicateOf: result.event.duplicateOf };
  }
  switch (result.reason) {
    case 'signature_invalid':
      throw notVerified(
        received.accepts === undefined ? 'signature_invalid' : 'not_verified',
        result.verification,
        clockOf(result.verification, received),
      );
    case 'rejected_not_found':
      throw new HookrelayError('rejected_not_found', 'the endpoint has no such rejected request');
    default:
      throw refusal(result.reason);
  }
}

function clockOf(
  verification: Verification | null,
  { rawHeaders, body, receivedAt, sentAt = receivedAt }: ReceivedRequest,
): SignedClock | null {
  if (verification === null) return null;
  return failedClock(verification, null, { rawHeaders, body: body.bytes, receivedAt: sentAt });
}

export function refusal(code: 'endpoint_not_found' | 'endpoint_inactive'): HookrelayError {
  return code === 'endpoint_inactive'
    ? new HookrelayError(code, 'this capture URL is paused; nothing was stored')
    : new HookrelayError(code, 'there is no such capture URL; nothing was stored');
}

function replyTo(
  { method, query, rawHeaders, body }: ReceivedRequest,
  hasHandshakeHeader: boolean,
  committed: CommittedRequest,
): Reply {
  const { id, response, duplicateOf } = committed;
  const repeats = duplicateOf === null ? '' : `,"duplicate_of":"${duplicateOf}"`;
  const request = { method, query, rawHeaders, body: body.bytes };
  const answer = handshakeAnswer(request, hasHandshakeHeader) ??
    (response && ownAnswer(response)) ?? {
      status: 200,
      content_type: 'application/json',
      body: `{"received":true,"event_id":"${id}"${repeats}}`,
    };
  return replyWith(answer, id);
}

function ownAnswer({ headers, ...answer }: CaptureResponse): HandshakeAnswer {
  return { ...answer, ...(headers && { headers: Object.entries(headers).flat() }) };
}
