import type { VerifyingWork } from '../../core/proof/verifying-work.ts';
import type { FetchedKey } from '../fetched-keys/fetched-key.ts';

/** A received request, with everything that a signature may cover. */
export interface SignedRequest {
  method: string;
  /**
   * The URLs that the sender may have signed, the likeliest first: the URL registered at the
   * provider, or the capture URL with the request's path and query.
   */
  urls: readonly string[];
  /** Undecoded, without the `?`. */
  query: string;
  /** Name, value, name, value …, in order, with case and duplicates. */
  rawHeaders: readonly string[];
  /** The exact bytes. */
  body: Buffer;
  /**
   * When the request was received, Unix ms. The age of the signed time is measured at this time.
   */
  receivedAt: number;
  /** The fetched key that the proof needs (`Proof.keyNeeded`). */
  key?: FetchedKey | null;
  /** Counts the work of verifying the request, and enforces a limit. */
  work?: VerifyingWork;
}

/** The largest number of a header's values to read. Each may be compared with each secret. */
export const MOST_VALUES = 20;

/** Returns the first `MOST_VALUES` values of a header, in order. */
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

/** Returns the first value of a header, or null if there is none. */
export function headerOf(request: Pick<SignedRequest, 'rawHeaders'>, name: string): string | null {
  return headersOf(request, name)[0] ?? null;
}

/**
 * Returns the value of a signed header, or null if it is missing or repeated. Of a repeated header,
 * hookrelay would verify the first value, but a receiver may read another one.
 */
export function onlyHeaderOf(
  request: Pick<SignedRequest, 'rawHeaders'>,
  name: string,
): string | null {
  const [value = null, ...others] = headersOf(request, name);
  return others.length === 0 ? value : null;
}
