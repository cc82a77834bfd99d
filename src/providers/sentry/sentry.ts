import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';

/**
 * The hexadecimal HMAC-SHA256 of the body. The time in `Sentry-Hook-Timestamp` isn't signed.
 *
 * https://docs.sentry.io/organization/integrations/integration-platform/webhooks/#verifying-the-signature
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'Sentry-Hook-Signature',
  encoding: 'hex',
  form: { prefix: '' },
  signed: ['body'],
  time: null,
};
const SECRET = "the integration's client secret";

export const sentry = {
  name: 'sentry',
  title: 'Sentry',
  marks: [{ header: 'sentry-hook-resource', isType: true, rank: 3 }],
  shapes: [(o) => (o('installation', 'uuid') && o('data') ? (o('action') ?? null) : undefined)],
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['header.request-id']] },
  signature: { header: SCHEME.header, scheme: SCHEME, signer: schemeSigner(SCHEME) },
} satisfies Provider;
