import { headerOf } from '../signing/signed-request.ts';

/** The largest number of URLs to try: all forms of three hosts and two targets. */
const MOST_URLS = 48;
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;
const PORT = /:\d+$/;

interface AskedFor {
  publicToken: string;
  path: string;
  query: string;
  rawHeaders: readonly string[];
}

/**
 * Returns URLs that a sender may have signed by mistake, the likeliest first. They differ in
 * scheme, port, host, query or last slash. The hosts are those of the source, the server and the
 * request's headers. A match proves nothing. It only explains the failure.
 *
 * @param registered the URL at the provider; null if it is the capture URL
 * @param tried URLs that don't match
 */
export function otherUrls(
  request: AskedFor,
  registered: string | null,
  baseUrl: string,
  tried: readonly string[],
): string[] {
  const known = registered === null ? null : URL.parse(registered);
  const hosts = [
    ...(known ? [known.host] : []),
    URL.parse(baseUrl)?.host ?? '',
    headerOf(request, 'host') ?? '',
    (headerOf(request, 'x-forwarded-host') ?? '').split(',', 1)[0]?.trim() ?? '',
  ].filter((host) => HOST.test(host));
  const origins = [...new Set(hosts)].flatMap(originsOf);
  const urls = new Set<string>(registered === null ? [] : [registered]);
  for (const target of targetsOf(request, known)) {
    for (const origin of origins) urls.add(origin + target);
  }
  return [...urls].filter((url) => !tried.includes(url)).slice(0, MOST_URLS);
}

function originsOf(host: string): string[] {
  const bare = host.replace(PORT, '');
  const withPort = bare === host ? [`https://${bare}:443`, `http://${bare}:80`] : [];
  return [
    ...new Set([`https://${host}`, `http://${host}`, `https://${bare}`, `http://${bare}`]),
    ...withPort,
  ];
}

/** Returns the paths and queries that may follow the host. */
function targetsOf({ publicToken, path, query }: AskedFor, registered: URL | null): string[] {
  const own = `/in/${publicToken}${path}`;
  const asked = query === '' ? '' : `?${query}`;
  return [
    ...(registered ? [registered.pathname + registered.search] : []),
    own + asked,
    ...(registered ? [registered.pathname + asked, otherSlash(registered.pathname) + asked] : []),
    otherSlash(own) + asked,
    own,
    otherSlash(own),
  ];
}

function otherSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
}
