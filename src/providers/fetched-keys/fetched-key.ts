/** A key on the network that a request's signature needs. Its URL is one of the provider's own. */
export interface KeyRequest {
  /** `certificate`: an X.509 certificate in PEM. */
  kind: 'certificate';
  url: string;
}

/** A key as it came from the network. */
export interface FetchedKey extends Pick<KeyRequest, 'url'> {
  text: string;
}

/**
 * Parses a URL that a sender names, for a host and a path that only the provider has. Null for any
 * other: with a port, a user, a query or a fragment, and for each spelling that a URL parser would
 * change.
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
