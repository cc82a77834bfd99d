/** Where a captured request was sent, as its target was written. */
export function requestUrl(
  captureUrl: string,
  { path, query }: { path: string; query: string },
): string {
  return captureUrl + path + (query === '' ? '' : `?${query}`);
}
