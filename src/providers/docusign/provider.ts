import type { Provider } from '../provider.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import { docusignProof, FIRST } from './verify.ts';

export const docusign = {
  name: 'docusign',
  title: 'DocuSign',
  marks: [{ header: 'x-docusign-signature-1', rank: 3 }],
  typePaths: [['event']],
  proof: docusignProof,
  signature: { header: FIRST.header, scheme: FIRST, signer: schemeSigner(FIRST) },
} satisfies Provider;
