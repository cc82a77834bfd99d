import { echo } from '../handshaking/answers.ts';
import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { headerOf } from '../signing/signed-request.ts';
import { verifyScheme } from '../signing/verify-scheme.ts';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of the body.
 *
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started#validate-payloads
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Hub-Signature-256',
  encoding: 'hex',
  form: { prefix: 'sha256=' },
  signed: ['body'],
  time: null,
};
/** Some products send only the SHA-1 form. It counts where the other one is missing. */
const OLD_SCHEME: SignatureScheme = {
  ...SCHEME,
  algorithm: 'hmac-sha1',
  header: 'X-Hub-Signature',
  form: { prefix: 'sha1=' },
};

export const meta = {
  name: 'meta',
  title: 'Meta',
  shapes: [(o) => (Array.isArray(o('entry')) && o('object') ? o('object') : undefined)],
  proof: {
    ...schemeProof(SCHEME, "the app's secret"),
    check(request, secret) {
      const isOld = headerOf(request, SCHEME.header) === null;
      return verifyScheme(isOld ? OLD_SCHEME : SCHEME, request, secret);
    },
  },
  leastBody: (object) => ({ object, entry: [] }),
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [
    {
      /** https://developers.facebook.com/docs/graph-api/webhooks/getting-started */
      matches: ({ method, query }) => method === 'GET' && query.includes('hub.challenge='),
      withoutSource: true,
      answer({ query }) {
        const params = new URLSearchParams(query);
        return params.get('hub.mode') === 'subscribe' ? echo(params.get('hub.challenge')) : null;
      },
      purpose: 'Meta (or another WebSub hub) checks that this URL is yours before it sends events.',
    },
  ],
} satisfies Provider;
