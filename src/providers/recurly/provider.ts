import type { Provider } from '../provider.ts';
import { hmacOf } from '../signing/check-hmac.ts';
import {
  type HeaderPair,
  type Signer,
  TEST_SECRET,
  type UnsignedRequest,
} from '../signing/signature.ts';
import { FORM, HEADER, recurlyProof } from './verify.ts';

function signAll({ body, timestampS }: UnsignedRequest, secrets: readonly string[]): HeaderPair[] {
  const time = String(timestampS * 1000);
  const signatures = secrets.map((secret) =>
    hmacOf(FORM, secret, [`${time}.`, body]).toString(FORM.encoding),
  );
  return [[HEADER, [time, ...signatures].join(',')]];
}

const SIGNER: Signer = {
  testSecret: TEST_SECRET,
  sign: (request, secret) => signAll(request, [secret]),
  signAll,
};

export const recurly = {
  name: 'recurly',
  title: 'Recurly',
  marks: [{ header: 'recurly-signature', rank: 3 }],
  proof: recurlyProof,
  signature: { header: HEADER, signer: SIGNER },
} satisfies Provider;
