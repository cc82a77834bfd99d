/**
 * A key to fetch before a request's signature can be checked. Only URLs of the provider are
 * allowed.
 */
export interface KeyRequest {
  /** `certificate`: an X.509 certificate in PEM. */
  kind: 'certificate';
  url: string;
}

export interface FetchedKey extends Pick<KeyRequest, 'url'> {
  text: string;
}

/**
 * Parses a URL from a request. Returns null if the host or the path isn't the provider's. Also
 * returns null for a URL with a port, user, query or fragment, or one that a URL parser would spell
 * differently.
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
