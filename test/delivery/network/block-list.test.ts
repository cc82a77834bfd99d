import { describe, expect, it } from 'vitest';
import { isPublicAddress, publicOnlyBlockList } from '../../../src/delivery/network/block-list.ts';

const PRIVATE = [
  // One or more addresses of each IPv4 network, and both ends of error-prone ones.
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.1',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  // IPv6: unspecified, loopback, IPv4-compatible, mapped, SIIT, NAT64 of both kinds, discard.
  '::',
  '::1',
  '::7f00:1',
  '::127.0.0.1',
  '::fffe:ffff:ffff',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:0',
  '::ffff:0:7f00:1',
  '::1:0:0:0',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  // Within 2000::/3: Teredo, ORCHID, documentation, 6to4, AS112.
  '2001::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff:ffff::1',
  // Above it: unique local, link-local, site-local, multicast.
  '4000::1',
  '5f00::1',
  '8000::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '3ffe:ffff::1',
  '3fff:1000::1',
];

const GARBAGE = [
  '',
  'localhost',
  '8.8.8',
  '8.8.8.8.',
  '08.8.8.8',
  '0x08.8.8.8',
  '134744072',
  '8.8.8.8/32',
  ' 8.8.8.8',
  '[2606:4700::1]',
  '2606:4700::1%eth0',
  'fe80::1%1',
  '::ffff:8.8.8.8%lo',
  'null',
];

describe('isPublicAddress', () => {
  it.each(PRIVATE)('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(PUBLIC)('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(GARBAGE)('fails closed on %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

it('has no rule that would match all of IPv4', () => {
  expect(publicOnlyBlockList().check('8.8.8.8', 'ipv4')).toBe(false);
  expect(publicOnlyBlockList().check('::ffff:8.8.8.8', 'ipv6')).toBe(false);
});
