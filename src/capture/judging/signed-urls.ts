import type { CapturedRequest } from '../../core/http/captured-request.ts';
import { headerOf } from '../../providers/signing/signed-request.ts';

/** The URLs by which senders reach this server. */
export interface OwnUrls {
  /** Origin of the capture URLs that the API shows. */
  baseUrl(): string;
  /** Whether a Host header names this server. */
  ownsHost(host: string): boolean;
}

/**
 * The URLs that a request's sender may have signed, the likeliest first. A proxy or a tunnel may
 * stand between the registered URL and this server, so the request alone doesn't tell.
 *
 * The bare registered URL counts only if it includes the request's path and query. Otherwise
 * nobody signed them, and anybody could change them in a copy of a request.
 *
 * @param registered the URL at the provider; null for the capture URL
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
