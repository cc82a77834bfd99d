/**
 * The Host names that a server on a loopback address accepts: names of this machine, and names from
 * the operator. Any other name may be DNS rebinding. In this attack, a web page resolves its own
 * name to 127.0.0.1, and the browser then lets the page read this server's answers.
 */
export class OwnHosts {
  readonly #names = new Set<string>();
  /**
   * True for a server that other machines can reach, because nobody can list their names for it.
   */
  takesAny = false;

  /** @param name a host or an origin */
  add(name: string): void {
    const { hostname } = URL.parse(name) ?? URL.parse(`http://${name}`) ?? {};
    if (hostname) this.#names.add(hostname);
  }

  /** @param host value of a Host header */
  takes(host: string): boolean {
    return this.takesAny || this.owns(host);
  }

  /** Whether a Host header names this machine, or has a name from the operator. */
  owns(host: string): boolean {
    // URL normalizes every spelling of an address.
    const name = URL.parse(`http://${host}`)?.hostname ?? '';
    return isThisMachine(name) || this.#names.has(name);
  }
}

/** Whether a name resolves to this machine (RFC 6761, section 6.3) or is a loopback address. */
function isThisMachine(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true;
  return /^127\.\d+\.\d+\.\d+$/.test(name);
}
