import type { VerificationReason } from '../../core/proof/verification.ts';
import { VerifyingTooCostly, VerifyingWork } from '../../core/proof/verifying-work.ts';
import { countedSecrets } from '../public-keys.ts';
import type { Proof } from '../signing/proof.ts';
import type { SignedRequest } from '../signing/signed-request.ts';
import { spellings } from './spellings.ts';

/** The largest body to try in other spellings, bytes. */
const MOST_SPELLED_BYTES = 64 * 1024;
/** The largest body to try with other URLs, bytes. */
const MOST_BYTES_WITH_URLS = 1024 * 1024;
/**
 * The largest number of bytes to hash for one request. Respelling JSON of 64 KiB takes longer than
 * this hashing: about 70 ms.
 */
const MOST_HASHED_BYTES = 8 * 1024 * 1024;
/** The fixed cost of a try, as the number of bytes that hash in the same time. */
const BYTES_OF_TRY = 4096;

/** The URL, or the spelling of the body, that the failed signature matches. */
export type RightOtherwise =
  | { reason: Extract<VerificationReason, 'url_mismatch'>; url: string }
  | { reason: Extract<VerificationReason, 'body_reserialized'>; spelling: string };

/**
 * Returns true if other URLs or spellings may explain the failure of a body of that size. A token
 * covers neither. A signature with a fetched key covers members of the body, so the spelling
 * doesn't matter.
 */
export function isWorthTrying(
  { grade, coversUrl, keyNeeded }: Pick<Proof, 'grade' | 'coversUrl' | 'keyNeeded'>,
  bytes: number,
): boolean {
  if (keyNeeded || (grade === 'authenticated' && !coversUrl)) return false;
  return bytes <= (coversUrl ? MOST_BYTES_WITH_URLS : MOST_SPELLED_BYTES);
}

/**
 * Finds another URL, or another spelling of the body, that the signature matches. Returns null if
 * there is none, or if trying takes too long. The request still counts as failed, because nobody
 * signed what arrived.
 *
 * @param urls see `otherUrls`
 * @param mostHashed the largest number of bytes to hash
 */
export function rightOtherwise(
  proof: Proof,
  secrets: readonly string[],
  request: SignedRequest,
  urls: readonly string[],
  mostHashed = MOST_HASHED_BYTES,
): RightOtherwise | null {
  if (!isWorthTrying(proof, request.body.length)) return null;
  const work = new VerifyingWork(mostHashed);
  try {
    return tryOtherwise(proof, countedSecrets(proof, secrets), { ...request, work }, urls, work);
  } catch (error) {
    if (error instanceof VerifyingTooCostly) return null;
    throw error;
  }
}

/** Tries the URLs, then the spellings. Throws `VerifyingTooCostly`. */
function tryOtherwise(
  proof: Proof,
  secrets: readonly string[],
  request: SignedRequest,
  urls: readonly string[],
  work: VerifyingWork,
): RightOtherwise | null {
  const fits = (tried: SignedRequest): boolean =>
    secrets.some((secret) => {
      work.hash(tried.body.length + BYTES_OF_TRY);
      return proof.check(tried, secret) === null;
    });
  if (proof.coversUrl) {
    const url = urls.find((one) => fits({ ...request, urls: [one] }));
    if (url !== undefined) return { reason: 'url_mismatch', url };
  }
  if (request.body.length > MOST_SPELLED_BYTES) return null;
  for (const { name, body } of spellings(request.body)) {
    if (fits({ ...request, body })) return { reason: 'body_reserialized', spelling: name };
  }
  return null;
}
