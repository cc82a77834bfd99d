/** An e-mail address as the URL of a destination (RFC 6068). */
export function mailtoUrl(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  return `mailto:${encodeURIComponent(local)}@${domain}`;
}

/** The address of such a URL; null for any other text. */
export function mailtoAddress(url: string): string | null {
  const [, local, domain] = /^mailto:([^@?#]+)@([^@?#]+)$/.exec(url) ?? [];
  if (local === undefined) return null;
  try {
    return `${decodeURIComponent(local)}@${domain}`;
  } catch {
    return null;
  }
}
