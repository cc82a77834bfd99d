import type { VerificationReason } from '../../core/proof/verification.ts';
import { VerifyingTooCostly, VerifyingWork } from '../../core/proof/verifying-work.ts';
import { countedSecrets } from '../public-keys.ts';
import type { Proof } from '../signing/proof.ts';
import type { SignedRequest } from '../signing/signed-request.ts';
import { spellings } from './spellings.ts';

/** Larger bodies are not spelled otherwise. */
const MOST_SPELLED_BYTES = 64 * 1024;
/** Larger bodies are not tried with other URLs. */
const MOST_BYTES_WITH_URLS = 1024 * 1024;
/**
 * Bytes that the tries for one request may hash. Respelling JSON of 64 KiB takes longer, some 70
 * ms.
 */
const MOST_HASHED_BYTES = 8 * 1024 * 1024;
/** The cost of a try besides hashing the body, in bytes whose hashing takes as long. */
const BYTES_OF_TRY = 4096;

/** The URL or the spelling with which a failed request would verify. */
export type RightOtherwise =
  | { reason: Extract<VerificationReason, 'url_mismatch'>; url: string }
  | { reason: Extract<VerificationReason, 'body_reserialized'>; spelling: string };

/**
 * Whether another URL or spelling could make a proof fit a body of that size. A token covers
 * neither. Keys from the network sign members of the body, whatever their spelling.
 */
export function isWorthTrying(
  { grade, coversUrl, keyNeeded }: Pick<Proof, 'grade' | 'coversUrl' | 'keyNeeded'>,
  bytes: number,
): boolean {
  if (keyNeeded || (grade === 'authenticated' && !coversUrl)) return false;
  return bytes <= (coversUrl ? MOST_BYTES_WITH_URLS : MOST_SPELLED_BYTES);
}

/**
 * Explains a failed request: its signature fits another URL or another spelling of the body. Null
 * where neither fits, and where trying takes too long. The request stays failed, because nobody
 * signed what came.
 *
 * @param urls see `otherUrls`
 * @param mostHashed most bytes that the tries hash
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

/** Throws `VerifyingTooCostly`. */
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
