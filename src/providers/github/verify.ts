import { type Proof, schemeProof } from '../signing/proof.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { headerOf } from '../signing/signed-request.ts';
import { verifyScheme } from '../signing/verify-scheme.ts';

/**
 * The proof of GitHub's scheme. GitHub Enterprise Server of old versions sends only the
 * SHA-1 form, which counts where the other is missing.
 */
export function githubProof(scheme: SignatureScheme, secret: string): Proof {
  const sha1: SignatureScheme = {
    ...scheme,
    algorithm: 'hmac-sha1',
    header: 'X-Hub-Signature',
    form: { prefix: 'sha1=' },
  };
  return {
    ...schemeProof(scheme, secret),
    check: (request, text) =>
      verifyScheme(headerOf(request, scheme.header) === null ? sha1 : scheme, request, text),
  };
}
