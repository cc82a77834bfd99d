import { BlockList, isIP } from 'node:net';

/** The parts of a request that the reader needs. */
interface Addressed {
  socket: { readonly remoteAddress?: string | undefined };
  headers: NodeJS.Dict<string | string[]>;
}

export type AddressReader = (request: Addressed) => string;

/**
 * Returns a check whether an address is a trusted proxy's.
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
 * Returns a reader of client addresses. For a request from a trusted proxy, it searches
 * `X-Forwarded-For` from the right. The client is the first address that isn't a trusted proxy. The
 * rest of the header is ignored, because any sender can forge it.
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

/** Removes the prefix of IPv4 addresses on a dual-stack socket, as in `::ffff:192.0.2.1`. */
function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
