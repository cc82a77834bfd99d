/** RFC 3986 `host [":" port]`: a name, an IPv4 address or a bracketed IPv6 address. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Whether a text is a valid Host header (RFC 9112, section 3.2). */
export function isHost(value: string): boolean {
  return HOST.test(value);
}
