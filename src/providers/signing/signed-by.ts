import type { HeaderMark } from '../provider.ts';
import { ed25519Signer } from './ed25519-signer.ts';
import { type Proof, schemeProof } from './proof.ts';
import { schemeSigner } from './scheme-signer.ts';
import type { SignedAs } from './signature.ts';
import type { SignatureScheme } from './signature-scheme.ts';

/** The part of a provider that its signature scheme determines. */
export interface SignedBy {
  /** How a receiver verifies its requests. */
  proof: Proof;
  /** How hookrelay signs as the provider does. */
  signature: SignedAs & { scheme: SignatureScheme };
}

/**
 * The differences of a scheme from the commonest one, which is the hexadecimal HMAC-SHA256 of the
 * body.
 */
type SchemeDetails = Partial<Omit<SignatureScheme, 'header'>>;

/** The window of signed times that most providers' libraries accept. */
export const FIVE_MINUTES = { toleranceMs: 300_000, isTwoSided: true } as const;

/**
 * Returns the proof and the signer of a signature that a scheme describes.
 *
 * @param secret the provider's term for the secret, with an article
 */
export function signedBy(scheme: SignatureScheme, secret: string): SignedBy {
  const signer = scheme.algorithm === 'ed25519' ? ed25519Signer(scheme) : schemeSigner(scheme);
  return {
    proof: schemeProof(scheme, secret),
    signature: { header: scheme.header, scheme, signer },
  };
}

/**
 * Returns a signature in a header that doesn't identify the provider: other senders use this header
 * too, or another header of the provider identifies it better.
 */
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

/**
 * Returns a signature in a header that only this provider sends. The header identifies the
 * provider.
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
