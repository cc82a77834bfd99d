import { memberAt } from './member-at.ts';
import type { MemberReader, Provider } from './provider.ts';
import { PROVIDERS, providerOf } from './providers.ts';
import { MAX_TYPE_LENGTH } from './recognise.ts';

/**
 * Event types that a provider's `shapes` return although bodies don't contain them as text, such as
 * Twilio's `call`.
 */
const NAMED_TYPES: ReadonlySet<string> = new Set(
  PROVIDERS.flatMap(({ namedTypes = [] }: Provider) => namedTypes),
);

/** The members that may name the type of an unknown sender's event. The first that fits counts. */
const COMMON_NAMES = ['type', 'event', 'event_type', 'eventType', 'event_name', 'action'];

/** @param provider null for an unknown sender */
export function mayNameType(provider: string | null): boolean {
  if (provider === null) return true;
  const known = providerOf(provider);
  return known?.typePaths !== undefined || known?.shapes !== undefined;
}

/**
 * Returns the event type in a body. Returns null if the body has none, or is a batch of several
 * events.
 *
 * @param provider null for an unknown sender
 * @param body parsed JSON, or a form's fields
 */
export function bodyType(provider: string | null, body: unknown): string | null {
  if (provider === null) return commonType(body);
  const known = providerOf(provider);
  if (!known || typeof body !== 'object' || body === null) return null;
  if (Array.isArray(body) && body.length !== 1) return null;
  const read: MemberReader = (...path) => memberAt(body, ...path);
  const found = [
    ...(known.typePaths ?? []).map((path) => read(...path)),
    ...(known.typePaths ? [] : (known.shapes ?? []).map((typeOf) => typeOf(read))),
  ].find((type) => typeof type === 'string' && type !== '');
  return typeof found === 'string' ? found.slice(0, MAX_TYPE_LENGTH).toWellFormed() : null;
}

function commonType(body: unknown): string | null {
  for (const name of COMMON_NAMES) {
    const type = memberAt(body, name);
    if (typeof type !== 'string' || type === '' || type.length > MAX_TYPE_LENGTH) continue;
    return type.toWellFormed();
  }
  return null;
}

export function standsInBody(type: string): boolean {
  return !NAMED_TYPES.has(type);
}
