/**
 * The hosts by which a server on a loopback address is asked for: this machine's
 * names, and those that its operator gave. By any other name a web page asks:
 * its own, which it had resolved to 127.0.0.1 (DNS rebinding), so that the
 * browser takes this server for the page's own and lets it read the answers.
 */
export class OwnHosts {
  readonly #names = new Set<string>();
  /** For a server that others reach: what names they have for it is not known. */
  takesAny = false;

  /** @param name a host, or an origin */
  add(name: string): void {
    const { hostname } = URL.parse(name) ?? URL.parse(`http://${name}`) ?? {};
    if (hostname) this.#names.add(hostname);
  }

  /** @param host value of a Host header */
  takes(host: string): boolean {
    if (this.takesAny) return true;
    // A URL spells every address in one way.
    const name = URL.parse(`http://${host}`)?.hostname ?? '';
    return isThisMachine(name) || this.#names.has(name);
  }
}

/** Names that no name server is asked for (RFC 6761, section 6.3), and loopback addresses. */
function isThisMachine(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true;
  return /^127\.\d+\.\d+\.\d+$/.test(name);
}
