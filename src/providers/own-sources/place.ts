import { headersOf, MOST_VALUES, type SignedRequest } from '../signing/signed-request.ts';

/** A place in a request that a source may name: a header, or a query parameter. */
export const PLACE = /^(?:header\.[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}|query\.[^\s&=?#]{1,100})$/;

/**
 * Returns the first values at a place such as `header.x-token` or `query.t`, at most `MOST_VALUES`.
 */
export function valuesAt(request: SignedRequest, place: string): string[] {
  const dot = place.indexOf('.');
  const name = place.slice(dot + 1);
  if (place.startsWith('header.')) return headersOf(request, name);
  return new URLSearchParams(request.query).getAll(name).slice(0, MOST_VALUES);
}
