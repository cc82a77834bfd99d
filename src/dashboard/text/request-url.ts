/** The URL of a captured request, with the target as written. */
export function requestUrl(
  captureUrl: string,
  { path, query }: { path: string; query: string },
): string {
  return captureUrl + path + (query === '' ? '' : `?${query}`);
}
