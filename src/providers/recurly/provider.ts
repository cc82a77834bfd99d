import type { Provider } from '../provider.ts';
import { hmacOf } from '../signing/check-hmac.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import { FORM, HEADER, recurlyProof } from './verify.ts';

const SIGNER: Signer = {
  testSecret: TEST_SECRET,
  sign({ body, timestampS }, secret) {
    const time = String(timestampS * 1000);
    const signature = hmacOf(FORM, secret, [`${time}.`, body]).toString(FORM.encoding);
    return [[HEADER, `${time},${signature}`]];
  },
};

export const recurly = {
  name: 'recurly',
  title: 'Recurly',
  marks: [{ header: 'recurly-signature', rank: 3 }],
  proof: recurlyProof,
  signature: { header: HEADER, signer: SIGNER },
} satisfies Provider;
