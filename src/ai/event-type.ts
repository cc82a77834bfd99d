import { bodyDocument, fieldsOf } from '../core/rules/body-document.ts';
import { bodyType, mayNameType } from '../providers/body-type.ts';
import { type AiEvent, payloadOf } from './event-input.ts';

/**
 * What an event type must look like. Senders choose it, and it becomes part of code and of names.
 */
const TYPE = /^[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,98}$/;

/** Larger bodies aren't parsed for their type: no provider's event is that large. */
const MAX_PARSED_BYTES = 1024 * 1024;

/** The fields of an event that determine its type. */
export type TypedEvent = Pick<AiEvent, 'body' | 'contentType' | 'provider' | 'eventType'>;

/**
 * Returns the provider's own event type, from the headers, or from the body if the headers have
 * none.
 */
export function eventTypeOf(event: TypedEvent): string | null {
  const type = event.eventType ?? typeInBody(event);
  return type !== null && TYPE.test(type) ? type : null;
}

/**
 * Returns the event type under which the shape is learned, as the headers or the body spell it. An
 * empty text means no type. Null means that the body is too large to read.
 */
export function learnedTypeOf({
  eventType,
  provider,
  body,
  contentType,
}: TypedEvent): string | null {
  if (eventType !== null) return eventType;
  if (!mayNameType(provider)) return '';
  if (body.length > MAX_PARSED_BYTES) return null;
  return bodyType(provider, bodyDocument(body, contentType).body) ?? '';
}

function typeInBody(event: TypedEvent): string | null {
  if (event.body.length > MAX_PARSED_BYTES) return null;
  const payload = payloadOf(event);
  if (payload.kind === 'json') {
    // The events of a batch have several types.
    return Array.isArray(payload.value) ? null : bodyType(event.provider, payload.value);
  }
  return payload.kind === 'form' ? bodyType(event.provider, fieldsOf(payload.fields)) : null;
}
