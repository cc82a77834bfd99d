import type { Provider } from '../provider.ts';
import { mandrillHandshakes } from './handshake.ts';
import { HEADER, mandrillProof, mandrillSigner } from './signature.ts';

export const mandrill = {
  name: 'mandrill',
  title: 'Mandrill',
  marks: [{ header: 'x-mandrill-signature', rank: 3 }],
  proof: mandrillProof,
  leastBody: (event) => `mandrill_events=${encodeURIComponent(JSON.stringify([{ event }]))}`,
  signature: { header: HEADER, signer: mandrillSigner },
  handshakes: mandrillHandshakes,
} satisfies Provider;
