import net from 'node:net';

/**
 * IPv4 networks that aren't on the public internet: IANA's registry of special-purpose addresses
 * (RFC 6890), and 168.63.129.16, where Azure's virtual machines reach their host.
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
 * All of IPv6 below 2000::/3 except ::ffff:0:0/96. The gap is deliberate: BlockList compares IPv4
 * in its mapped form, so a rule for the gap would match every IPv4 address. Mapped addresses follow
 * the IPv4 rules instead. The ranges include NAT64 (64:ff9b::) and SIIT (::ffff:0:0:0).
 */
const V6_RANGES = [
  ['::', '::fffe:ffff:ffff'],
  ['::1:0:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const;

/** All of IPv6 above 2000::/3, and within it Teredo, documentation, 6to4, AS112 and SRv6. */
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
 * For `net.connect`: blocks every address that isn't public. All callers share it, so don't add to
 * it.
 */
export function publicOnlyBlockList(): net.BlockList {
  return blockList;
}

/**
 * Whether a literal IP address is on the public internet. False for anything else:
 * `BlockList.check` would answer "not blocked" for garbage, for a wrong family and for IPv6 zones.
 */
export function isPublicAddress(address: string): boolean {
  const family = net.isIP(address);
  if (family === 0 || address.includes('%')) return false;
  return !blockList.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
