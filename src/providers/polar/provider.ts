import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { Signer } from '../signing/signature.ts';
import { standardScheme } from '../signing/standard-proof.ts';

/**
 * Signs as Standard Webhooks does, but the key is the secret's text, which isn't decoded.
 *
 * https://polar.sh/docs/integrate/webhooks/delivery
 */
const SCHEME = standardScheme('webhook', 'text');
const SIGNER = schemeSigner(SCHEME);

const signer: Signer = {
  ...SIGNER,
  sign(request, secret) {
    const id = ['webhook-id', request.deliveryId] as const;
    return [id, ...SIGNER.sign({ ...request, headers: [id] }, secret)];
  },
};

export const polar = {
  name: 'polar',
  title: 'Polar',
  typePaths: [['type']],
  proof: schemeProof(SCHEME, "the endpoint's secret"),
  once: { by: [['header.webhook-id']] },
  signature: { header: SCHEME.header, signer },
} satisfies Provider;
