/**
 * The Host names that a server on a loopback address accepts: this machine's names, and the names
 * that the operator set. Any other name may be DNS rebinding: an attacker's web page resolves its
 * own name to 127.0.0.1, and then the browser lets the page read this server's answers.
 */
export class OwnHosts {
  readonly #names = new Set<string>();
  /**
   * True for a server that other machines can reach. Nobody can list the names that they use for
   * it.
   */
  takesAny = false;

  /** @param name a host, or an origin */
  add(name: string): void {
    const { hostname } = URL.parse(name) ?? URL.parse(`http://${name}`) ?? {};
    if (hostname) this.#names.add(hostname);
  }

  /** @param host value of a Host header */
  takes(host: string): boolean {
    return this.takesAny || this.owns(host);
  }

  /** Returns true if a Host header has a name of this machine, or a name that the operator set. */
  owns(host: string): boolean {
    // URL normalizes every spelling of an address.
    const name = URL.parse(`http://${host}`)?.hostname ?? '';
    return isThisMachine(name) || this.#names.has(name);
  }
}

/**
 * Returns true for names that resolve to this machine (RFC 6761, section 6.3), and for loopback
 * addresses.
 */
function isThisMachine(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true;
  return /^127\.\d+\.\d+\.\d+$/.test(name);
}
