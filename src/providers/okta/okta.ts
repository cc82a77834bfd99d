import { tokenProof } from '../own-sources/token.ts';
import type { Provider } from '../provider.ts';
import { oktaHandshake } from './handshake.ts';

/**
 * An event hook of Okta sends a fixed `Authorization` header. If a hook uses a header of another
 * name, its source must be `token`.
 *
 * https://developer.okta.com/docs/concepts/event-hooks/
 */
export const okta = {
  name: 'okta',
  title: 'Okta',
  shapes: [
    (o) =>
      o('eventType') === 'com.okta.event_hook'
        ? (o('data', 'events', '0', 'eventType') ?? null)
        : undefined,
  ],
  proof: { ...tokenProof('header.authorization'), secret: 'the value of the Authorization header' },
  once: { by: [['body.eventId']] },
  handshakes: [oktaHandshake],
} satisfies Provider;
