import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import { TEST_SECRET } from '../signing/signature.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * `HMAC ` and the base64 HMAC-SHA256 of the body, of outgoing webhooks. The key is base64.
 *
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'base64',
  header: 'Authorization',
  encoding: 'base64',
  form: { prefix: 'HMAC ' },
  signed: ['body'],
  time: null,
};
const SECRET = "the outgoing webhook's security token";

export const microsoftTeams = {
  name: 'microsoft-teams',
  title: 'Microsoft Teams',
  shapes: [(o) => (o('channelData', 'tenant', 'id') && o('serviceUrl') ? o('type') : undefined)],
  typePaths: [['type']],
  proof: schemeProof(SCHEME, SECRET),
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME, Buffer.from(TEST_SECRET).toString('base64')),
  },
} satisfies Provider;
