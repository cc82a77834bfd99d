import { verify } from 'node:crypto';
import type { SecretOutcome } from '../signing/secret-outcome.ts';
import type { SignedRequest } from '../signing/signed-request.ts';
import { type Certificate, certificateOf } from './certificate.ts';

/** The longest RSA signature in base64, characters. A key of 16,384 bits makes it. */
const MOST_SIGNATURE_CHARACTERS = 2732;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

interface RsaSignature {
  algorithm: 'sha1' | 'sha256';
  signed: string;
  /** In base64. */
  signature: string;
  /** The URL of the certificate in the request. */
  url: string;
}

/**
 * Checks an RSA signature (PKCS #1 v1.5) with the fetched certificate. The certificate must have
 * been valid when the request arrived.
 *
 * @param isOwn returns true if the certificate belongs to the provider
 */
export function checkRsa(
  { key, receivedAt, work }: Pick<SignedRequest, 'receivedAt' | 'key' | 'work'>,
  { algorithm, signed, signature, url }: RsaSignature,
  isOwn: (certificate: Certificate) => boolean = () => true,
): SecretOutcome {
  if (!isSignature(signature)) return 'signature_malformed';
  const certificate = key?.url === url ? certificateOf(key.text) : null;
  if (!certificate || !isOwn(certificate)) return 'key_unavailable';
  const isValid = certificate.validFrom <= receivedAt && receivedAt <= certificate.validTo;
  if (!isValid) return 'key_unavailable';
  const bytes = Buffer.from(signature, 'base64');
  work?.signature(signed.length);
  const fits = verify(algorithm, Buffer.from(signed), certificate.key, bytes);
  return fits ? null : 'signature_mismatch';
}

export function isSignature(text: string): boolean {
  return text.length <= MOST_SIGNATURE_CHARACTERS && BASE64.test(text);
}
