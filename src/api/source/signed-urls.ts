import type { SourceSettings } from '../../core/proof/source.ts';

/**
 * The URLs that a sender may have signed, the likeliest first: the registered one as it is
 * and with the request's path and query, or the capture URL with them.
 */
export function signedUrls(
  { url }: Pick<SourceSettings, 'url'>,
  captureUrl: string,
  { path, query }: { path: string; query: string },
): string[] {
  const rest = path + (query === '' ? '' : `?${query}`);
  if (url === null) return [captureUrl + rest];
  return rest === '' ? [url] : [url, url.replace(/\/$/, '') + rest];
}
