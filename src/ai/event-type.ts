import { providerOf } from '../providers/providers.ts';
import { type AiEvent, payloadOf } from './event-input.ts';

/** The form of an event type. Senders choose this text, and it becomes part of code and names. */
const TYPE = /^[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,98}$/;

/** Larger bodies aren't parsed for their type: no provider's event is that large. */
const MAX_PARSED_BYTES = 1024 * 1024;

/** The fields of an event that determine its type. */
export type TypedEvent = Pick<AiEvent, 'body' | 'contentType' | 'provider' | 'eventType'>;

/** The provider's own event type, from the headers or otherwise from the body. */
export function eventTypeOf(event: TypedEvent): string | null {
  if (event.eventType !== null) return TYPE.test(event.eventType) ? event.eventType : null;
  if (event.body.length > MAX_PARSED_BYTES) return null;
  for (const path of typePathsOf(event.provider)) {
    const found = fieldAt(event, path);
    if (typeof found === 'string' && TYPE.test(found)) return found;
  }
  return null;
}

/** Paths at which this provider's bodies name the event type. */
export function typePathsOf(provider: string | null): readonly string[][] {
  return providerOf(provider)?.typePaths ?? [];
}

function fieldAt(event: TypedEvent, path: readonly string[]): unknown {
  const payload = payloadOf(event);
  if (payload.kind === 'form') {
    return path.length === 1 ? payload.fields.find(([name]) => name === path[0])?.[1] : undefined;
  }
  if (payload.kind !== 'json') return undefined;
  let value: unknown = payload.value;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
