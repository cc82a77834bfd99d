import { type Proof, schemeProof } from './proof.ts';
import type { KeyForm, SignatureScheme } from './signature-scheme.ts';
import { verifyAnyScheme, verifyScheme } from './verify-scheme.ts';

/** The beginning of the names of the three headers. Svix had its own before the specification. */
export type StandardPrefix = 'webhook' | 'svix';

/** Public keys of asymmetric signatures begin with it. */
export const PUBLIC_KEY_PREFIX = 'whpk_';

/**
 * `v1,` and the base64 HMAC-SHA256 of `<id>.<seconds>.<body>`, with id and seconds in
 * headers of their own.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
 */
export function standardScheme(prefix: StandardPrefix, key: KeyForm = 'standard'): SignatureScheme {
  return {
    algorithm: 'hmac-sha256',
    key,
    header: `${prefix}-signature`,
    encoding: 'base64',
    form: { tag: 'v1' },
    signed: [{ header: `${prefix}-id` }, { text: '.' }, 'time', { text: '.' }, 'body'],
    time: {
      place: { header: `${prefix}-timestamp` },
      unit: 's',
      toleranceMs: 300_000,
      isTwoSided: true,
    },
  };
}

/** Verifiers of Svix take the headers of either name, and many services send both. */
const SHARED_SECRET = [standardScheme('svix'), standardScheme('webhook')];
/** `v1a,` and an Ed25519 signature of the same text. */
const PUBLIC_KEY: SignatureScheme = {
  ...standardScheme('webhook', 'base64'),
  algorithm: 'ed25519',
  form: { tag: 'v1a' },
};
const ofPublicKey = schemeProof(PUBLIC_KEY, 'the public key');

/** The proof of services that follow Standard Webhooks, by a shared secret or a public key. */
export function standardProof(secret: string): Proof {
  const ofSecret = schemeProof(standardScheme('webhook'), secret);
  return {
    ...ofSecret,
    problem: (text) => {
      const publicKey = publicKeyOf(text);
      return publicKey === null ? ofSecret.problem(text) : ofPublicKey.problem(publicKey);
    },
    check: (request, text) => {
      const publicKey = publicKeyOf(text);
      return publicKey === null
        ? verifyAnyScheme(SHARED_SECRET, request, text)
        : verifyScheme(PUBLIC_KEY, request, publicKey);
    },
  };
}

function publicKeyOf(text: string): string | null {
  return text.startsWith(PUBLIC_KEY_PREFIX) ? text.slice(PUBLIC_KEY_PREFIX.length) : null;
}
