import type { Provider } from '../provider.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import { buildkiteProof, SCHEME } from './verify.ts';

export const buildkite = {
  name: 'buildkite',
  title: 'Buildkite',
  marks: [{ header: 'x-buildkite-event', isType: true, rank: 3 }],
  proof: buildkiteProof,
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    signer: schemeSigner(SCHEME),
  },
} satisfies Provider;
