import { BlockList, isIP } from 'node:net';

/** The parts of a request that name its client address. `IncomingMessage` has them. */
interface Addressed {
  socket: { readonly remoteAddress?: string | undefined };
  headers: NodeJS.Dict<string | string[]>;
}

/** Returns the client address of a request. */
export type AddressReader = (request: Addressed) => string;

/**
 * Returns a function that checks whether an address belongs to a trusted proxy.
 *
 * @param trusted addresses and CIDR blocks
 */
export function proxyChecker(trusted: readonly string[]): (address: string) => boolean {
  if (trusted.length === 0) return () => false;
  const proxies = new BlockList();
  for (const block of trusted) {
    const [address = '', prefix] = block.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const bare = plain(address);
    return isIP(bare) !== 0 && proxies.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
  };
}

/**
 * Returns a reader of client addresses. If a request comes from a trusted proxy, the reader goes
 * through `X-Forwarded-For` from the right: the first address that isn't a trusted proxy is the
 * client. The reader ignores the rest of the header, because any sender can forge it.
 *
 * @param trusted addresses and CIDR blocks
 */
export function clientAddressReader(trusted: readonly string[]): AddressReader {
  const isTrusted = proxyChecker(trusted);
  return ({ socket, headers }) => {
    let client = plain(socket.remoteAddress ?? '');
    if (!isTrusted(client)) return client;
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded !== 'string') return client;
    for (const part of forwarded.split(',').reverse()) {
      const address = plain(part.trim());
      if (isIP(address) === 0) return client;
      client = address;
      if (!isTrusted(client)) return client;
    }
    return client;
  };
}

/** A dual-stack socket shows IPv4 clients as `::ffff:192.0.2.1`. */
function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
