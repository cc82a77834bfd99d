import dns, { type LookupAddress } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import type net from 'node:net';
import { AttemptFailure } from './attempt-failure.ts';

/** The wait before a DNS query is repeated, ms. The second wait is twice as long. */
const QUESTION_TIMEOUT_MS = 2000;
const QUESTION_TRIES = 2;
/** The error codes for a name that doesn't exist or has no address. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA']);
/** Names that never lead to the public internet (RFC 6761, RFC 6762, ICANN's `.internal`). */
const LOCAL_NAME = /^(?:.*\.)?(?:localhost|local|internal)$/;
const RESOLVER_FILE = '/etc/resolv.conf';
const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

/** The value of `ndots` if resolv.conf doesn't set it. */
const DEFAULT_NDOTS = 1;

export function isLocalName(hostname: string): boolean {
  return LOCAL_NAME.test(hostname);
}

export interface NameResolverOptions {
  /** The operator's `--allow-private-destinations`. It also lets local names resolve. */
  allowPrivate: boolean;
  /** The longest time for one name, ms. */
  timeoutMs: number;
}

/**
 * Finds the addresses of destinations' names.
 *
 * `dns.lookup` runs the system's resolver in a few threads. A name that no server answers occupies
 * a thread until the system gives up. A few such names would block all other names, even the
 * PostgreSQL server's. So this class sends its own DNS queries over sockets (c-ares). Any number of
 * queries can run at once, and each has a deadline.
 *
 * It asks the system only for names that DNS doesn't know: names without a dot and names in the
 * hosts file. With `allowPrivate`, it also asks the system for these names:
 * - local names (mDNS)
 * - names with so few dots that search domains come first (`ndots`, common in Kubernetes)
 * - names that DNS doesn't have
 *
 * Without `allowPrivate` that would allow an attack. A hostile name server could deny the name
 * here, and then leave the system's query without an answer.
 */
export class NameResolver {
  readonly #options: NameResolverOptions;
  readonly #asking = new Set<dns.promises.Resolver>();
  readonly #hosts = new ParsedFile(HOSTS_FILE, hostNames, new Set<string>());
  readonly #ndots = new ParsedFile(RESOLVER_FILE, ndotsOf, DEFAULT_NDOTS);

  constructor(options: NameResolverOptions) {
    this.#options = options;
  }

  /** The lookup function for `net.connect`. */
  readonly lookup: net.LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname).then(
      (addresses) => {
        const [first] = addresses as [LookupAddress];
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };

  /**
   * Returns all addresses of a name, at least one. IPv4 comes first, because broken IPv6 is more
   * common. Rejects with an error for `attemptErrorOf`: `timeout` if no name server answered,
   * otherwise `dns_error`.
   */
  async resolve(hostname: string): Promise<LookupAddress[]> {
    const { allowPrivate } = this.#options;
    const dots = hostname.split('.').length - 1;
    if (dots === 0 || (await this.#hosts.read()).has(hostname)) return fromSystem(hostname);
    if (allowPrivate && (isLocalName(hostname) || dots < (await this.#ndots.read()))) {
      return fromSystem(hostname);
    }
    try {
      return await this.#ask(hostname);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // There is no name server. The system may find the name in another way.
      if (code === 'ECONNREFUSED') return fromSystem(hostname);
      if (NO_ADDRESS.has(code)) {
        if (allowPrivate) return fromSystem(hostname);
        throw error;
      }
      throw code === 'ETIMEOUT' || code === 'ECANCELLED'
        ? new AttemptFailure('timeout', 'No name server answered in time.', error)
        : new AttemptFailure('dns_error', `The name could not be resolved (${code}).`, error);
    }
  }

  close(): void {
    for (const resolver of this.#asking) resolver.cancel();
  }

  async #ask(hostname: string): Promise<LookupAddress[]> {
    // A new resolver uses the system's present name servers, and can be cancelled alone.
    const resolver = new dns.promises.Resolver({
      timeout: QUESTION_TIMEOUT_MS,
      tries: QUESTION_TRIES,
    });
    const timer = setTimeout(() => resolver.cancel(), this.#options.timeoutMs);
    this.#asking.add(resolver);
    try {
      const answers = await Promise.allSettled([
        resolver.resolve4(hostname),
        resolver.resolve6(hostname),
      ]);
      const addresses = answers.flatMap((answer, i) =>
        answer.status === 'rejected'
          ? []
          : answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })),
      );
      if (addresses.length > 0) return addresses;
      const errors = answers.flatMap((answer) =>
        answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
      );
      // ENODATA is about only one of the two queries. The other error says more.
      throw errors.find(({ code }) => code !== 'ENODATA') ?? errors[0];
    } finally {
      clearTimeout(timer);
      this.#asking.delete(resolver);
    }
  }
}

/** Reads and parses a system file. Reads it again only after a change. */
class ParsedFile<T> {
  readonly #path: string;
  readonly #parse: (text: string) => T;
  /** The value if the file can't be read. */
  readonly #none: T;
  #value: T;
  #mtimeMs = Number.NaN;

  constructor(path: string, parse: (text: string) => T, none: T) {
    this.#path = path;
    this.#parse = parse;
    this.#none = none;
    this.#value = none;
  }

  async read(): Promise<T> {
    try {
      const { mtimeMs } = await stat(this.#path);
      if (mtimeMs !== this.#mtimeMs) {
        this.#value = this.#parse(await readFile(this.#path, 'utf8'));
        this.#mtimeMs = mtimeMs;
      }
    } catch {
      return this.#none;
    }
    return this.#value;
  }
}

function hostNames(text: string): Set<string> {
  return new Set(text.replace(/#.*/g, '').toLowerCase().split(/\s+/));
}

/**
 * Returns `ndots` of a resolv.conf(5). Names with fewer dots are tried with search domains first.
 */
export function ndotsOf(text: string): number {
  const ndots = /^\s*options\b.*\bndots:(\d+)/m.exec(text)?.[1];
  return ndots === undefined ? DEFAULT_NDOTS : Number(ndots);
}

function fromSystem(hostname: string): Promise<LookupAddress[]> {
  return dns.promises.lookup(hostname, { all: true });
}
