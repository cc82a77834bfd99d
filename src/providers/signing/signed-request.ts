import type { VerifyingWork } from '../../core/proof/verifying-work.ts';
import type { FetchedKey } from '../fetched-keys/fetched-key.ts';

/** A received request, with all that a signature may cover. */
export interface SignedRequest {
  method: string;
  /**
   * The URLs that the sender may have signed, the likeliest first: the one registered at the
   * provider, or the capture URL with the request's path and query.
   */
  urls: readonly string[];
  /** Undecoded, without the `?`. */
  query: string;
  /** Name, value, name, value …, in order, with case and duplicates. */
  rawHeaders: readonly string[];
  /** The exact bytes. */
  body: Buffer;
  /** Unix ms. Windows of signed times count from it. */
  receivedAt: number;
  /** The key that the proof needs (`Proof.keyNeeded`), where it could be fetched. */
  key?: FetchedKey | null;
  /** Counts the work of verifying the request, and stops it at a limit. */
  work?: VerifyingWork;
}

/** Values of a header that count: each may be compared with each secret. */
export const MOST_VALUES = 20;

/** The first 20 values of a header, in order. */
export function headersOf(
  { rawHeaders }: Pick<SignedRequest, 'rawHeaders'>,
  name: string,
): string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length && values.length < MOST_VALUES; i += 2) {
    const one = rawHeaders[i] as string;
    if (one.length === wanted.length && one.toLowerCase() === wanted) {
      values.push(rawHeaders[i + 1] as string);
    }
  }
  return values;
}

/** The first value of a header; null without it. */
export function headerOf(request: Pick<SignedRequest, 'rawHeaders'>, name: string): string | null {
  return headersOf(request, name)[0] ?? null;
}

/**
 * The value of a signed header; null without it, and where it repeats: hookrelay would verify the
 * first, and readers may take another.
 */
export function onlyHeaderOf(
  request: Pick<SignedRequest, 'rawHeaders'>,
  name: string,
): string | null {
  const [value = null, ...others] = headersOf(request, name);
  return others.length === 0 ? value : null;
}
