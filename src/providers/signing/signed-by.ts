import type { HeaderMark } from '../provider.ts';
import { ed25519Signer } from './ed25519-signer.ts';
import { type Proof, schemeProof } from './proof.ts';
import { schemeSigner } from './scheme-signer.ts';
import type { SignedAs } from './signature.ts';
import type { SignatureScheme } from './signature-scheme.ts';

/** The parts of a provider that follow from its signature scheme. */
export interface SignedBy {
  proof: Proof;
  signature: SignedAs & { scheme: SignatureScheme };
}

/** The differences of a scheme from the default: the hexadecimal HMAC-SHA256 of the body. */
type SchemeDetails = Partial<Omit<SignatureScheme, 'header'>>;

/** The tolerance of most providers' libraries. */
export const FIVE_MINUTES = { toleranceMs: 300_000, isTwoSided: true } as const;

/** @param secret the provider's term for the secret, with an article */
export function signedBy(scheme: SignatureScheme, secret: string): SignedBy {
  const signer = scheme.algorithm === 'ed25519' ? ed25519Signer(scheme) : schemeSigner(scheme);
  return {
    proof: schemeProof(scheme, secret),
    signature: { header: scheme.header, scheme, signer },
  };
}

/** Returns a signature in a header that doesn't identify the provider. */
export function signatureIn(header: string, secret: string, details?: SchemeDetails): SignedBy {
  const scheme: SignatureScheme = {
    algorithm: 'hmac-sha256',
    key: 'text',
    header,
    encoding: 'hex',
    form: { prefix: '' },
    signed: ['body'],
    time: null,
    ...details,
  };
  return signedBy(scheme, secret);
}

/** Returns a copy of a provider's signature with a note. See `Signature`. */
export function noted<Signed extends SignedBy>(signed: Signed, note: string): Signed {
  return { ...signed, signature: { ...signed.signature, note } };
}

/**
 * Returns a signature in a header that only this provider sends, and so identifies the provider.
 */
export function ownSignatureIn(
  header: string,
  secret: string,
  details?: SchemeDetails,
): SignedBy & { marks: readonly HeaderMark[] } {
  return {
    marks: [{ header: header.toLowerCase(), rank: 3 }],
    ...signatureIn(header, secret, details),
  };
}
