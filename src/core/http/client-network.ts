import { isIPv6 } from 'node:net';

/**
 * Returns the network that counts as one client. For IPv4, it is the address, even as `::ffff:…`
 * from a dual-stack socket. For IPv6, it is the /64, the smallest network that a customer gets.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  if (!isIPv6(address)) return address;
  const [withoutZone] = address.split('%', 1);
  // URL normalises each spelling of an IPv6 address and removes dotted IPv4 parts.
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const groups = groupsOf(head);
  if (tail !== undefined) {
    const end = groupsOf(tail);
    while (groups.length + end.length < 8) groups.push('0');
    groups.push(...end);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
