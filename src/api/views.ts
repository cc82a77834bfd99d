import { isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import { isJson } from '../core/http/is-json.ts';
import { joinedHeaders } from '../core/http/joined-headers.ts';
import type {
  Attempt,
  Delivery,
  EventSummary,
  ListedDelivery,
  RejectedRequest,
} from '../core/model.ts';
import type { SourceSettings } from '../core/proof/source.ts';
import type { Verification } from '../core/proof/verification.ts';
import { RequestParts } from '../core/rules/request-parts.ts';
import { bodyType, mayNameType } from '../providers/body-type.ts';
import { failureOf } from '../providers/reasons/failure-of.ts';
import type { EventContent } from '../store/contract/events.ts';
import type { ReplayJob } from '../store/contract/replays.ts';
import type { Attempt as AttemptAnswer } from './answers/attempt.ts';
import type {
  Delivery as DeliveryAnswer,
  ListedDelivery as ListedDeliveryAnswer,
  Unjudged,
} from './answers/delivery.ts';
import type {
  EventHead,
  EventSummary as EventSummaryAnswer,
  VerificationFailure,
} from './answers/event.ts';
import type {
  RejectedHead,
  RejectedRequest as RejectedRequestAnswer,
} from './answers/rejected-request.ts';
import type { ReplayJob as ReplayJobAnswer } from './answers/replay.ts';

/* Views of the API: the contract's field names, ISO 8601 times, no row numbers. */

export const isoTimeSchema = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.description('UTC, to the millisecond.'),
);
export const isoTime = (ms: number): string => new Date(ms).toISOString();
export const isoTimeOrNull = (ms: number | null): string | null =>
  ms === null ? null : isoTime(ms);

export function eventListItem(event: EventSummary) {
  return {
    id: event.id,
    status: event.status,
    method: event.method,
    received_at: isoTime(event.receivedAt),
  };
}

export function eventSummaryView(event: EventSummary): EventSummaryAnswer {
  return {
    ...eventListItem(event),
    endpoint_id: event.endpointId,
    path: event.path,
    content_type: event.contentType,
    size: event.size,
    provider: event.provider,
    event_type: event.eventType,
    source_ip: event.sourceIp,
    attempts: event.attempts,
    response_code: event.outcome?.responseCode ?? null,
    latency_ms: latencyOf(event),
    retries: event.outcome?.retries ?? 0,
    edited_from: event.editedFrom,
    verification: verificationOf(event),
    duplicate_of: event.duplicateOf,
    duplicate_conflict: event.duplicateOf === null ? null : event.isConflicting,
    unjudged: unjudgedView(event),
  };
}

function unjudgedView({ unjudged }: Pick<EventSummary, 'unjudged'>): Unjudged | null {
  return unjudged && { reason: unjudged };
}

/** A clock that was set back makes no latency less than none. */
function latencyOf({ receivedAt, outcome }: EventSummary): number | null {
  const succeededAt = outcome?.succeededAt ?? null;
  return succeededAt === null ? null : Math.max(0, succeededAt - receivedAt);
}

/** An edited copy is nobody's request, also where the endpoint verifies none. */
function verificationOf({ verification, editedFrom }: EventSummary): Verification {
  const isUnexplained = verification.state === 'unverified' && verification.reason === null;
  return editedFrom !== null && isUnexplained
    ? { ...verification, reason: 'edited' }
    : verification;
}

export function attemptView(attempt: Attempt): AttemptAnswer {
  return {
    id: attempt.id,
    attempt: attempt.number,
    probe: attempt.probe,
    rule_version: attempt.ruleVersion,
    request_headers: attempt.requestHeaders,
    response_code: attempt.responseCode,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    response_truncated: attempt.responseTruncated,
    attempted_at: isoTime(attempt.attemptedAt),
    duration_ms: attempt.durationMs,
    error: attempt.error,
    next_attempt_at: isoTimeOrNull(attempt.nextAttemptAt),
    trigger: attempt.trigger,
    delivery_id: attempt.deliveryId,
    destination_id: attempt.destinationId,
    destination_url: attempt.destinationUrl,
    destination_health: attempt.health,
  };
}

function deliveryView(delivery: Delivery): DeliveryAnswer {
  return {
    id: delivery.id,
    destination_id: delivery.destinationId,
    destination_url: delivery.destinationUrl,
    trigger: delivery.trigger,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAt),
    waits_for: delivery.waitsFor,
    unjudged: unjudgedView(delivery),
  };
}

export function listedDeliveryView(delivery: ListedDelivery): ListedDeliveryAnswer {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    destination_id: delivery.destinationId,
    destination_url: delivery.destinationUrl,
    state: delivery.state,
    attempts: delivery.attempts,
    error: delivery.error,
    created_at: isoTime(delivery.createdAt),
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAt),
    waits_for: delivery.waitsFor,
    unjudged: unjudgedView(delivery),
  };
}

export function replayJobView(job: ReplayJob): ReplayJobAnswer {
  return {
    id: job.id,
    state: job.state,
    matching: job.matching,
    queued: job.queued,
    delivered: job.delivered,
    dead: job.dead,
    created_at: isoTime(job.createdAt),
  };
}

/**
 * A complete event as JSON text. A JSON body is embedded unchanged, not parsed and
 * printed: numbers stay exact (`12345678901234567890`, `1.0`, `1e400`), keys keep their
 * order and duplicates, and deep nesting overflows no stack.
 *
 * @param source the endpoint's of now; null without one
 */
export async function eventDetailText(
  event: EventSummary,
  content: EventContent,
  deliveries: readonly Delivery[],
  source: SourceSettings | null,
): Promise<Buffer> {
  return withBody(eventHeadView(event, content, deliveries, source), content);
}

/** An event without its body. What judges a large body takes longer than the rest. */
export const eventHeadView = (
  event: EventSummary,
  content: EventContent,
  deliveries: readonly Delivery[],
  source: SourceSettings | null,
): Shown<EventHead> => ({
  ...eventSummaryView(event),
  event_type: typeOf(event, content),
  verification_failure: failureView(event, content, source),
  ...contentView(content),
  deliveries: deliveries.map(deliveryView),
});

export function rejectedView(rejected: RejectedRequest): RejectedRequestAnswer {
  return {
    id: rejected.id,
    method: rejected.method,
    received_at: isoTime(rejected.receivedAt),
    path: rejected.path,
    content_type: rejected.contentType,
    size: rejected.size,
    provider: rejected.provider,
    event_type: rejected.eventType,
    source_ip: rejected.sourceIp,
    verification: rejected.verification,
  };
}

/** A complete rejected request as JSON text, as `eventDetailText` writes an event. */
export function rejectedDetailText(
  rejected: RejectedRequest,
  content: EventContent,
  source: SourceSettings | null,
): Promise<Buffer> {
  const shown: Shown<RejectedHead> = {
    ...rejectedView(rejected),
    verification_failure: failureView(rejected, content, source),
    ...contentView(content),
  };
  return withBody(shown, content);
}

function failureView(
  { verification, receivedAt }: Pick<EventSummary, 'verification' | 'receivedAt'>,
  { rawHeaders, body }: EventContent,
  source: SourceSettings | null,
): VerificationFailure | null {
  const failure = failureOf(verification, source, { rawHeaders, body, receivedAt });
  return failure && { message: failure.says, hint: failure.hint };
}

/** A head as the API shows it: readers of its text find the body after `body_encoding`. */
type Shown<T> = Omit<T, 'body_encoding'> & { headers: Record<string, string> };

function contentView({ query, rawHeaders }: EventContent) {
  return {
    query,
    headers: Object.fromEntries(joinedHeaders(rawHeaders)),
    raw_headers: headerPairs(rawHeaders),
  };
}

async function withBody(shown: object, { body }: EventContent): Promise<Buffer> {
  const { encoding, json } = await bodyView(body);
  const head = JSON.stringify({ ...shown, body_encoding: encoding });
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"body":`), json, Buffer.from('}')]);
}

/** The event's type, from the headers or otherwise from the body. */
function typeOf(event: EventSummary, content: EventContent): string | null {
  if (event.eventType !== null || !mayNameType(event.provider)) return event.eventType;
  const type = new RequestParts({ ...event, ...content }, bodyType).get('type');
  return typeof type === 'string' ? type : null;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

type BodyEncoding = EventHead['body_encoding'];

/** The value of `body` as JSON text, and its encoding. */
async function bodyView(body: Buffer): Promise<{ encoding: BodyEncoding; json: Buffer }> {
  if (body.length === 0) return { encoding: 'none', json: Buffer.from('null') };
  if (!isUtf8(body)) {
    return { encoding: 'base64', json: Buffer.from(`"${body.toString('base64')}"`) };
  }
  // The mark isn't part of the JSON text (RFC 8259, section 8.1), and is invalid inside the answer.
  const hasMark = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const json = body.subarray(hasMark ? BYTE_ORDER_MARK.length : 0);
  if (await isJson(json)) return { encoding: 'json', json };
  return { encoding: 'text', json: Buffer.from(JSON.stringify(body.toString('utf8'))) };
}

function headerPairs(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    pairs.push([rawHeaders[i] as string, rawHeaders[i + 1] as string]);
  }
  return pairs;
}
