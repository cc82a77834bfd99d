import { memberAt } from './member-at.ts';
import type { MemberReader, Provider } from './provider.ts';
import { PROVIDERS, providerOf } from './providers.ts';
import { MAX_TYPE_LENGTH } from './recognise.ts';

/** Types that a shape names and the body doesn't contain, such as Twilio's `call`. */
const NAMED_TYPES: ReadonlySet<string> = new Set(
  PROVIDERS.flatMap(({ namedTypes = [] }: Provider) => namedTypes),
);

/** Whether this provider's bodies may name the type of an event. */
export function mayNameType(provider: string | null): boolean {
  const known = providerOf(provider);
  return known?.typePaths !== undefined || known?.shapes !== undefined;
}

/**
 * The event type in a provider's body; null without one, and for a batch of several events.
 *
 * @param body a parsed body: JSON, or a form's fields
 */
export function bodyType(provider: string | null, body: unknown): string | null {
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

/** Whether a body with this type contains it as text. */
export function standsInBody(type: string): boolean {
  return !NAMED_TYPES.has(type);
}
