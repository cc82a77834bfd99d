import net from 'node:net';

/**
 * IPv4 networks that aren't on the public internet. They are those of IANA's special-purpose
 * registry (RFC 6890) and 168.63.129.16. Azure's virtual machines reach their host at that address.
 */
const V4_NETWORKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
] as const;

/**
 * All IPv6 addresses below 2000::/3 except ::ffff:0:0/96. `BlockList` maps IPv4 addresses into that
 * network, so blocking it would block all of IPv4. Mapped addresses follow the IPv4 rules. The
 * ranges include NAT64 (64:ff9b::) and SIIT (::ffff:0:0:0).
 */
const V6_RANGES = [
  ['::', '::fffe:ffff:ffff'],
  ['::1:0:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const;

/**
 * All IPv6 addresses above 2000::/3. Also these networks within 2000::/3: Teredo, documentation,
 * 6to4, AS112 and SRv6.
 */
const V6_NETWORKS = [
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const blockList = new net.BlockList();
for (const [network, prefix] of V4_NETWORKS) blockList.addSubnet(network, prefix, 'ipv4');
for (const [start, end] of V6_RANGES) blockList.addRange(start, end, 'ipv6');
for (const [network, prefix] of V6_NETWORKS) blockList.addSubnet(network, prefix, 'ipv6');

/**
 * Returns the block list for `net.connect`. It blocks every address that isn't public. All callers
 * share the list, so don't add to it.
 */
export function publicOnlyBlockList(): net.BlockList {
  return blockList;
}

/**
 * Whether the text is an IP address on the public internet. Checks the form first, because
 * `BlockList.check` doesn't block invalid addresses or addresses with an IPv6 zone.
 */
export function isPublicAddress(address: string): boolean {
  const family = net.isIP(address);
  if (family === 0 || address.includes('%')) return false;
  return !blockList.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
