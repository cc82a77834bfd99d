import { isIPv6 } from 'node:net';

/**
 * What counts as one client address: an IPv6 /64, the least that anyone is given, and
 * an IPv4 address, also where a dual-stack socket writes it as `::ffff:…`.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  if (!isIPv6(address)) return address;
  const [withoutZone] = address.split('%', 1);
  // A URL spells every IPv6 address in one way, with no dotted end.
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
