import type { Provider } from '../provider.ts';
import { hubspotProof, hubspotSigner, V3_HEADER } from './signature.ts';

export const hubspot = {
  name: 'hubspot',
  title: 'HubSpot',
  marks: [
    { header: 'x-hubspot-signature-v3', rank: 3 },
    { header: 'x-hubspot-signature', rank: 3 },
  ],
  shapes: [(o) => (o('0', 'portalId') ? o('0', 'subscriptionType') : undefined)],
  proof: hubspotProof,
  signature: { header: V3_HEADER, signer: hubspotSigner },
} satisfies Provider;
