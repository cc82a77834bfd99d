import { gunzipSync } from 'node:zlib';
import { type Proof, schemeProof } from '../signing/proof.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { headerOf, type SignedRequest } from '../signing/signed-request.ts';
import { verifyScheme } from '../signing/verify-scheme.ts';

/** Most bytes that a compressed body may unfold to. */
const MOST_BYTES = 1_048_576;

/** Airship signs the JSON and compresses the body afterwards. */
export function airshipProof(scheme: SignatureScheme, secret: string): Proof {
  return {
    ...schemeProof(scheme, secret),
    check: (request, text) => verifyScheme(scheme, unfolded(request), text),
  };
}

function unfolded(request: SignedRequest): SignedRequest {
  if (headerOf(request, 'content-encoding')?.trim().toLowerCase() !== 'gzip') return request;
  try {
    return { ...request, body: gunzipSync(request.body, { maxOutputLength: MOST_BYTES }) };
  } catch {
    return request;
  }
}
