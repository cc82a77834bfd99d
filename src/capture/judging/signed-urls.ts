import type { CapturedRequest } from '../../core/http/captured-request.ts';
import { headerOf } from '../../providers/signing/signed-request.ts';

export interface OwnUrls {
  /** Returns the origin of the capture URLs that the API shows. */
  baseUrl(): string;
  /** Whether a Host header names this server. */
  ownsHost(host: string): boolean;
}

/**
 * Returns the URLs that a request's sender may have signed, the likeliest first. A proxy or a
 * tunnel may change the URL between the provider and this server.
 *
 * The registered URL counts only if it includes the request's path and query. Otherwise the
 * signature wouldn't cover them, and an attacker could change them in a copy.
 *
 * @param registered the URL that is registered at the provider; null if it is the capture URL
 */
export function signedUrls(
  request: Pick<CapturedRequest, 'publicToken' | 'path' | 'query' | 'rawHeaders'>,
  registered: string | null,
  { baseUrl, ownsHost }: OwnUrls,
): string[] {
  const query = request.query === '' ? '' : `?${request.query}`;
  if (registered !== null) {
    const [known = ''] = registered.split('#', 1);
    const [bare = ''] = known.split('?', 1);
    const given = known.slice(bare.length);
    const base = request.path === '' ? bare : bare.replace(/\/$/, '');
    const isCovered = bare.endsWith(request.path) && (query === '' || given === query);
    return [...new Set([`${base}${request.path}${query}`, ...(isCovered ? [registered] : [])])];
  }
  const target = `/in/${request.publicToken}${request.path}${query}`;
  const host = headerOf(request, 'host');
  const origins = host !== null && ownsHost(host) ? [`https://${host}`, `http://${host}`] : [];
  return [...new Set([baseUrl(), ...origins])].map((origin) => `${origin}${target}`);
}
