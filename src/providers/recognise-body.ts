import { memberAt } from './member-at.ts';
import type { MemberReader } from './provider.ts';
import { PROVIDERS } from './providers.ts';
import { MAX_TYPE_LENGTH, NOBODY, type Recognition } from './recognise.ts';

/**
 * Recognises a provider by a request's body, for providers that don't sign and for requests that
 * lost their headers at a proxy. The capture path can't use this, because parsing bodies is too
 * slow.
 *
 * @param body parsed JSON, or a form's fields as an object
 */
export function recogniseBody(body: unknown): Recognition {
  if (typeof body !== 'object' || body === null) return NOBODY;
  const read: MemberReader = (...path) => memberAt(body, ...path);
  for (const { name: provider, shapes = [] } of PROVIDERS) {
    for (const typeOf of shapes) {
      const type = typeOf(read);
      if (type === undefined) continue;
      const eventType = typeof type === 'string' ? type.slice(0, MAX_TYPE_LENGTH) : null;
      return { provider, eventType };
    }
  }
  return NOBODY;
}
