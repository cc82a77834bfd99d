import type { Provider } from '../provider.ts';
import { contentfulProof, contentfulSigner, SIGNATURE_HEADER } from './signature.ts';

export const contentful = {
  name: 'contentful',
  title: 'Contentful',
  marks: [{ header: 'x-contentful-topic', isType: true, rank: 3 }],
  proof: contentfulProof,
  signature: { header: SIGNATURE_HEADER, signer: contentfulSigner },
} satisfies Provider;
