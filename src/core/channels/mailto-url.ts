/** Returns the `mailto:` URL of an e-mail address (RFC 6068), used as a destination's URL. */
export function mailtoUrl(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  return `mailto:${encodeURIComponent(local)}@${domain}`;
}

/** Returns the address in a `mailto:` URL. Null for any other text. */
export function mailtoAddress(url: string): string | null {
  const [, local, domain] = /^mailto:([^@?#]+)@([^@?#]+)$/.exec(url) ?? [];
  if (local === undefined) return null;
  try {
    return `${decodeURIComponent(local)}@${domain}`;
  } catch {
    return null;
  }
}
