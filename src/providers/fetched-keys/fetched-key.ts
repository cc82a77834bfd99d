/**
 * A key that must be fetched to check a request's signature. Its URL must be one of the provider's.
 */
export interface KeyRequest {
  /** `certificate`: an X.509 certificate in PEM. */
  kind: 'certificate';
  url: string;
}

/** A key that was fetched. */
export interface FetchedKey extends Pick<KeyRequest, 'url'> {
  text: string;
}

/**
 * Parses a URL that a request names, and checks that its host and path are ones that only the
 * provider has. Returns null for any other URL: also for one with a port, a user, a query or a
 * fragment, and for one that a URL parser would spell in another way.
 */
export function pinnedUrl(
  text: unknown,
  { host, path }: { host: RegExp; path: RegExp },
): URL | null {
  if (typeof text !== 'string') return null;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.origin + url.pathname !== text) return null;
  return host.test(url.host) && path.test(url.pathname) ? url : null;
}
