import { headRequest } from '../handshaking/head-request.ts';
import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The base64 HMAC-SHA1 of the body and the callback URL, as it was registered.
 *
 * https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/#webhook-signatures
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha1',
  key: 'text',
  header: 'X-Trello-Webhook',
  encoding: 'base64',
  form: { prefix: '' },
  signed: ['body', 'url'],
  time: null,
};
const SECRET = "the app's secret";

export const trello = {
  name: 'trello',
  title: 'Trello',
  marks: [{ header: 'x-trello-webhook', rank: 3 }],
  typePaths: [['action', 'type']],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.action.id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
  handshakes: [
    /** https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/#creating-a-webhook */
    headRequest('Trello checks that this URL exists before it sends events.'),
  ],
} satisfies Provider;
