import type { Provider } from '../provider.ts';

export const meta = {
  name: 'meta',
  title: 'Meta',
  shapes: [(o) => (Array.isArray(o('entry')) && o('object') ? o('object') : undefined)],
  handshake: {
    /** https://developers.facebook.com/docs/graph-api/webhooks/getting-started */
    matches: ({ method, query }) => method === 'GET' && query.includes('hub.challenge='),
    challenge({ query }) {
      const params = new URLSearchParams(query);
      return params.get('hub.mode') === 'subscribe' ? params.get('hub.challenge') : null;
    },
    purpose: 'Meta (or another WebSub hub) checks that this URL is yours before it sends events.',
  },
} satisfies Provider;
