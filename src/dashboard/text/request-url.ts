/** Returns the URL of a captured request. The target stays as the sender wrote it. */
export function requestUrl(
  captureUrl: string,
  { path, query }: { path: string; query: string },
): string {
  return captureUrl + path + (query === '' ? '' : `?${query}`);
}

/** Returns the URL of a delivery: the destination's URL with the event's sub-path and query. */
export function sentTo(
  destinationUrl: string,
  { path, query }: { path: string; query: string },
): string {
  const cut = destinationUrl.indexOf('?');
  const base = cut === -1 ? destinationUrl : destinationUrl.slice(0, cut);
  const own = cut === -1 ? '' : destinationUrl.slice(cut + 1);
  const whole = path === '' ? base : base.replace(/\/$/, '') + path;
  const all = [own, query].filter((one) => one !== '').join('&');
  return all === '' ? whole : `${whole}?${all}`;
}
