import { joinedHeaders } from '../../core/http/joined-headers.ts';
import type { Delivery, EventSummary, RejectedRequest } from '../../core/model.ts';
import type { SourceSettings } from '../../core/proof/source.ts';
import { RequestParts } from '../../core/rules/request-parts.ts';
import { bodyType, mayNameType } from '../../providers/body-type.ts';
import { failureOf } from '../../providers/reasons/failure-of.ts';
import type { EventContent } from '../../store/contract/events.ts';
import { deliveryView } from '../deliveries/delivery-view.ts';
import { encodedBody } from './encoded-body.ts';
import type { EventHeadAnswer, VerificationFailure } from './event-answer.ts';
import { eventSummaryView, rejectedView } from './event-view.ts';
import type { RejectedHeadAnswer } from './rejected-request-answer.ts';

/**
 * The head of a request, without `body_encoding`. `detailText` writes that member last, because
 * clients that read the text expect the body right after it.
 */
type Shown<T> = Omit<T, 'body_encoding'> & { headers: Record<string, string> };

export type ShownEvent = Shown<EventHeadAnswer>;
export type DetailHead = ShownEvent | Shown<RejectedHeadAnswer>;

interface Stored {
  content: EventContent;
  source: SourceSettings | null;
}

export interface StoredEventDetail extends Stored {
  kind: 'event';
  event: EventSummary;
  deliveries: readonly Delivery[];
}

export type Detail = StoredEventDetail | (Stored & { kind: 'rejected'; rejected: RejectedRequest });

export function headView(detail: Detail): DetailHead {
  const { content, source } = detail;
  const shown = detail.kind === 'event' ? detail.event : detail.rejected;
  const common = {
    verification_failure: failureView(shown, content, source),
    query: content.query,
    headers: Object.fromEntries(joinedHeaders(content.rawHeaders)),
    raw_headers: headerPairs(content.rawHeaders),
  };
  if (detail.kind === 'rejected') return { ...rejectedView(detail.rejected), ...common };
  return {
    ...eventSummaryView(detail.event),
    event_type: typeOf(detail.event, content),
    ...common,
    deliveries: detail.deliveries.map(deliveryView),
  };
}

export function detailText(detail: Detail): Buffer {
  const { encoding, json } = encodedBody(detail.content.body);
  const head = JSON.stringify({ ...headView(detail), body_encoding: encoding });
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"body":`), json, Buffer.from('}')]);
}

function failureView(
  { verification, receivedAt }: Pick<EventSummary, 'verification' | 'receivedAt'>,
  { rawHeaders, body }: EventContent,
  source: SourceSettings | null,
): VerificationFailure | null {
  const failure = failureOf(verification, source, { rawHeaders, body, receivedAt });
  return failure && { message: failure.says, hint: failure.hint };
}

function typeOf(event: EventSummary, content: EventContent): string | null {
  if (event.eventType !== null || !mayNameType(event.provider)) return event.eventType;
  const type = new RequestParts({ ...event, ...content }, bodyType).get('type');
  return typeof type === 'string' ? type : null;
}

function headerPairs(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    pairs.push([rawHeaders[i] as string, rawHeaders[i + 1] as string]);
  }
  return pairs;
}
