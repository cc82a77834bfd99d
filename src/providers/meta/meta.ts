import { echo } from '../handshaking/answers.ts';
import type { Provider } from '../provider.ts';
import { withoutHeader } from '../signing/other-schemes.ts';
import { signatureIn } from '../signing/signed-by.ts';

const HEADER = 'X-Hub-Signature-256';

/** https://developers.facebook.com/docs/graph-api/webhooks/getting-started#validate-payloads */
export const meta = {
  name: 'meta',
  title: 'Meta',
  shapes: [(o) => (Array.isArray(o('entry')) && o('object') ? o('object') : undefined)],
  leastBody: (object) => ({ object, entry: [] }),
  handshakes: [
    {
      /** https://developers.facebook.com/docs/graph-api/webhooks/getting-started */
      method: 'GET',
      matches: ({ query }) => query.includes('hub.challenge='),
      withoutSource: true,
      answer({ query }) {
        const params = new URLSearchParams(query);
        return params.get('hub.mode') === 'subscribe' ? echo(params.get('hub.challenge')) : null;
      },
      purpose: 'Meta (or another WebSub hub) checks that this URL is yours before it sends events.',
    },
  ],
  // Some of Meta's products send only the SHA-1 form.
  ...withoutHeader(
    HEADER,
    signatureIn(HEADER, "the app's secret", { form: { prefix: 'sha256=' } }),
    { algorithm: 'hmac-sha1', header: 'X-Hub-Signature', form: { prefix: 'sha1=' } },
  ),
} satisfies Provider;
