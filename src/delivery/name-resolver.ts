import dns, { type LookupAddress } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import type net from 'node:net';
import { ConnectError } from './connect-error.ts';

/** Until a question is asked again, ms; the wait after that is twice as long. */
const QUESTION_TIMEOUT_MS = 2000;
const QUESTION_TRIES = 2;
/** Names that DNS says nothing of. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA']);
/** Names that never lead to the public internet (RFC 6761, RFC 6762, ICANN's `.internal`). */
const LOCAL_NAME = /^(?:.*\.)?(?:localhost|local|internal)$/;
const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

export function isLocalName(hostname: string): boolean {
  return LOCAL_NAME.test(hostname);
}

export interface NameResolverOptions {
  /** The operator's `--allow-private-destinations`: names of the local network count too. */
  allowPrivate: boolean;
  /** Longest time for one name, ms. Give it the attempt's timeout: nobody waits longer. */
  timeoutMs: number;
}

/**
 * The addresses of destinations' names.
 *
 * `dns.lookup` has the system look them up, in threads of which there are a few,
 * each held until the system gives up: about as many names that are never
 * answered keep every other name waiting, those of accounts that have nothing to
 * do with them, PostgreSQL's too. So names are asked for over sockets (c-ares),
 * any number at once, and given up for good when their time is up.
 *
 * What only the system knows it is still asked for: names without a dot (search
 * domains) and names in the hosts file; with `allowPrivate` also local names
 * (mDNS) and those that DNS doesn't have. Not without: whose name server says no
 * to us could leave the system waiting.
 */
export class NameResolver {
  readonly #options: NameResolverOptions;
  readonly #asking = new Set<dns.promises.Resolver>();
  #hosts = { mtimeMs: Number.NaN, names: new Set<string>() };

  constructor(options: NameResolverOptions) {
    this.#options = options;
  }

  /** For `net.connect`. */
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
   * All addresses of a name, at least one; IPv4 first, as IPv6 that leads nowhere
   * is the more common. Rejects with what `attemptErrorOf` names: `dns_error`, or
   * `timeout` when no name server answered.
   */
  async resolve(hostname: string): Promise<LookupAddress[]> {
    const { allowPrivate } = this.#options;
    const isSystems = !hostname.includes('.') || (allowPrivate && isLocalName(hostname));
    if (isSystems || (await this.#isInHosts(hostname))) return fromSystem(hostname);
    try {
      return await this.#ask(hostname);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // There is no name server at all: the system may have other ways.
      if (code === 'ECONNREFUSED') return fromSystem(hostname);
      if (NO_ADDRESS.has(code)) {
        if (allowPrivate) return fromSystem(hostname);
        throw error;
      }
      throw code === 'ETIMEOUT' || code === 'ECANCELLED'
        ? new ConnectError('timeout', 'No name server answered in time.', error)
        : new ConnectError('dns_error', `The name could not be resolved (${code}).`, error);
    }
  }

  /** Gives up every question under way. */
  close(): void {
    for (const resolver of this.#asking) resolver.cancel();
  }

  async #ask(hostname: string): Promise<LookupAddress[]> {
    // One for each name: it reads the system's name servers anew, and can be cancelled alone.
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
      // "No such record" is half an answer; what became of the other half tells more.
      throw errors.find(({ code }) => code !== 'ENODATA') ?? errors[0];
    } finally {
      clearTimeout(timer);
      this.#asking.delete(resolver);
    }
  }

  async #isInHosts(hostname: string): Promise<boolean> {
    try {
      const { mtimeMs } = await stat(HOSTS_FILE);
      if (mtimeMs !== this.#hosts.mtimeMs) {
        const text = await readFile(HOSTS_FILE, 'utf8');
        const names = text.replace(/#.*/g, '').toLowerCase().split(/\s+/);
        this.#hosts = { mtimeMs, names: new Set(names) };
      }
    } catch {
      // No such file: no such names.
      return false;
    }
    return this.#hosts.names.has(hostname);
  }
}

function fromSystem(hostname: string): Promise<LookupAddress[]> {
  return dns.promises.lookup(hostname, { all: true });
}
