import { schemeClock } from '../reasons/signed-clock.ts';
import { type Proof, schemeProof } from './proof.ts';
import type { KeyForm, SignatureScheme } from './signature-scheme.ts';
import { headerOf, headersOf, type SignedRequest } from './signed-request.ts';
import { verifyAnyScheme, verifyScheme } from './verify-scheme.ts';

/** The prefix of the three headers. Svix's own prefix is older than the specification. */
export type StandardPrefix = 'webhook' | 'svix';

/** The prefix of public keys for asymmetric signatures. */
export const PUBLIC_KEY_PREFIX = 'whpk_';

/**
 * Returns the scheme of `v1,` and the base64 HMAC-SHA256 of `<id>.<seconds>.<body>`. The id and the
 * seconds each have a header.
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

/** Svix's verifiers accept headers with either prefix, and many services send both. */
const SHARED_SECRET = { svix: standardScheme('svix'), webhook: standardScheme('webhook') };
/** `v1a,` and an Ed25519 signature of the same text. */
const PUBLIC_KEY: SignatureScheme = {
  ...standardScheme('webhook', 'base64'),
  algorithm: 'ed25519',
  form: { tag: 'v1a' },
};
const ofPublicKey = schemeProof(PUBLIC_KEY, 'the public key');

/**
 * Returns the proof for services that follow Standard Webhooks. Accepts a shared secret or a public
 * key.
 *
 * @param prefix the prefix of the service's usual headers; their id identifies repeats
 */
export function standardProof(secret: string, prefix: StandardPrefix = 'webhook'): Proof {
  const ofSecret = schemeProof(standardScheme('webhook'), secret);
  return {
    ...ofSecret,
    secretPrefix: 'whsec_',
    isPublicKey: (text) => publicKeyOf(text) !== null,
    problem: (text) => {
      const publicKey = publicKeyOf(text);
      return publicKey === null ? ofSecret.problem(text) : ofPublicKey.problem(publicKey);
    },
    clock: (request) =>
      schemesOf(request, prefix)
        .map((scheme) => schemeClock(scheme, request))
        .find((clock) => clock !== null) ?? null,
    check: (request, text) => {
      const publicKey = publicKeyOf(text);
      return publicKey === null
        ? verifyAnyScheme(schemesOf(request, prefix), request, text)
        : verifyScheme(PUBLIC_KEY, request, publicKey);
    },
  };
}

/**
 * Returns the schemes that may have signed a request. Headers with the other prefix count only if
 * the usual id is missing or equal to theirs. Otherwise nothing would sign the usual id.
 */
function schemesOf(request: SignedRequest, prefix: StandardPrefix): readonly SignatureScheme[] {
  const other = prefix === 'svix' ? 'webhook' : 'svix';
  const covered = headerOf(request, `${other}-id`);
  const isCovered = headersOf(request, `${prefix}-id`).every((id) => id === covered);
  return isCovered ? [SHARED_SECRET[prefix], SHARED_SECRET[other]] : [SHARED_SECRET[prefix]];
}

function publicKeyOf(text: string): string | null {
  return text.startsWith(PUBLIC_KEY_PREFIX) ? text.slice(PUBLIC_KEY_PREFIX.length) : null;
}
