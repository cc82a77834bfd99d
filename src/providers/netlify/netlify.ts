import type { Provider } from '../provider.ts';
import { HEADER, netlifyProof, netlifySigner } from './signature.ts';

export const netlify = {
  name: 'netlify',
  title: 'Netlify',
  marks: [{ header: 'x-netlify-event', isType: true, rank: 3 }],
  proof: netlifyProof,
  signature: { header: HEADER, signer: netlifySigner },
} satisfies Provider;
