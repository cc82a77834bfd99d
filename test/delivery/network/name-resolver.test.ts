import dns from 'node:dns';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { NameResolver, ndotsOf } from '../../../src/delivery/network/name-resolver.ts';
import { attemptErrorOf } from '../../../src/delivery/transports/webhook/attempt-error.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { asksOnly, nameServer, type Zone } from '../../fixtures/name-server.ts';
import { until } from '../../fixtures/until.ts';

failOnLeaks();

/** Asks a name server with this zone; `system` lists the names that the system was asked for. */
async function resolving(zone: Zone, { allowPrivate = false, timeoutMs = 5000 } = {}) {
  const server = await nameServer(zone);
  asksOnly(server);
  const system: string[] = [];
  const lookup = vi.spyOn(dns.promises, 'lookup');
  lookup.mockImplementation((async (name: string) => {
    system.push(name);
    return [{ address: '192.168.0.1', family: 4 }];
  }) as never);
  onTestFinished(() => lookup.mockRestore());
  const resolver = new NameResolver({ allowPrivate, timeoutMs });
  const errorOf = (name: string) => resolver.resolve(name).then(() => null, attemptErrorOf);
  return { resolver, errorOf, asked: server.asked, system };
}

const FROM_SYSTEM = [{ address: '192.168.0.1', family: 4 }];

test.each([
  ['nameserver 10.0.0.1\n', 1],
  ['search a.svc cluster.local\noptions ndots:5 timeout:1\n', 5],
  ['# options ndots:9\noptions edns0 ndots:2\n', 2],
])('ndots is read from resolv.conf: %j', (text, ndots) => {
  expect(ndotsOf(text)).toBe(ndots);
});

describe('a name', () => {
  test('has all addresses of both families, IPv4 first', async () => {
    const zone: Zone = (_, type) =>
      type === 'A' ? ['8.8.8.8', '127.0.0.1'] : ['2606:4700::1111', '::1'];
    const { resolver, system } = await resolving(zone);
    expect(await resolver.resolve('both.example.com')).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
      { address: '::1', family: 6 },
    ]);
    expect(system).toEqual([]);
  });

  test.each<['A' | 'AAAA', string]>([
    ['A', '8.8.8.8'],
    ['AAAA', '2606:4700::1111'],
  ])('may have addresses of one family only: %s', async (only, address) => {
    for (const other of [[], 'ESERVFAIL', 'ENOTFOUND'] as const) {
      const { resolver } = await resolving((_, type) => (type === only ? [address] : other));
      expect(await resolver.resolve('one.example.com')).toEqual([
        { address, family: only === 'A' ? 4 : 6 },
      ]);
    }
  });

  test('gives net.connect all addresses or the first, as asked', async () => {
    const { resolver } = await resolving((_, type) => (type === 'A' ? ['8.8.8.8'] : []));
    const answer = (all: boolean) =>
      new Promise((resolve) => {
        resolver.lookup('name.example.com', { all }, (...args) => resolve(args));
      });
    expect(await answer(true)).toEqual([null, [{ address: '8.8.8.8', family: 4 }]]);
    expect(await answer(false)).toEqual([null, '8.8.8.8', 4]);
    const missing = await resolving(() => 'ENOTFOUND');
    const error = await new Promise<Error | null>((resolve) => {
      missing.resolver.lookup('name.example.com', { all: true }, (failure) => resolve(failure));
    });
    expect(error).toMatchObject({ code: 'ENOTFOUND' });
  });
});

describe('a name without an address', () => {
  test.each<[string, Zone, string, string]>([
    ['that is none', () => 'ENOTFOUND', 'dns_error', 'The name does not resolve.'],
    ['without records', () => [], 'dns_error', 'The name does not resolve.'],
    [
      'whose servers are broken',
      (_, type) => (type === 'A' ? [] : 'ESERVFAIL'),
      'dns_error',
      'The name could not be resolved (ESERVFAIL).',
    ],
  ])('rejects with %s', async (_what, zone, code, message) => {
    const { errorOf, system } = await resolving(zone);
    expect(await errorOf('none.example.com')).toEqual({ code, message });
    // A hostile name server could deny the name to us and keep the system waiting.
    expect(system).toEqual([]);
  });

  test('that is never answered is a timeout, and the query is cancelled', async () => {
    const { errorOf, asked } = await resolving(() => null, { timeoutMs: 100 });
    expect(await errorOf('hang.example.com')).toEqual({
      code: 'timeout',
      message: 'No name server answered in time.',
    });
    expect(asked).toHaveLength(2);
  });

  test('close cancels queries under way', async () => {
    const { resolver, errorOf, asked } = await resolving(() => null, { timeoutMs: 60_000 });
    const errors = Promise.all(['a.example.com', 'b.example.com'].map(errorOf));
    await until('both are asked for', () => asked.length === 4);
    resolver.close();
    expect((await errors).map((error) => error?.code)).toEqual(['timeout', 'timeout']);
  });
});

describe('the system is asked', () => {
  test.each(['localhost', 'intranet'])('for a name without a dot: %s', async (name) => {
    const { resolver, asked, system } = await resolving(() => null);
    expect(await resolver.resolve(name)).toEqual(FROM_SYSTEM);
    expect([system, asked]).toEqual([[name], []]);
  });

  test.each(['printer.local', 'a.localhost', 'db.internal'])(
    'for a local name, when private destinations are allowed: %s',
    async (name) => {
      const allowed = await resolving(() => null, { allowPrivate: true });
      expect(await allowed.resolver.resolve(name)).toEqual(FROM_SYSTEM);
      expect(allowed.asked).toEqual([]);
      const refused = await resolving(() => 'ENOTFOUND');
      expect((await refused.errorOf(name))?.code).toBe('dns_error');
      expect(refused.system).toEqual([]);
    },
  );

  test('for a name that DNS does not have, when private destinations are allowed', async () => {
    for (const reply of ['ENOTFOUND', []] as const) {
      const { resolver, system } = await resolving(() => reply, { allowPrivate: true });
      expect(await resolver.resolve('hooks.staging')).toEqual(FROM_SYSTEM);
      expect(system).toEqual(['hooks.staging']);
    }
  });

  test('but not for a name that is never answered: it would block', async () => {
    const { errorOf, system } = await resolving(() => null, { allowPrivate: true, timeoutMs: 100 });
    expect((await errorOf('hang.example.com'))?.code).toBe('timeout');
    expect(system).toEqual([]);
  });

  test('when there is no name server', async () => {
    const { resolver, system } = await resolving(() => null);
    asksOnly({ address: '127.0.0.1:1' });
    expect(await resolver.resolve('name.example.com')).toEqual(FROM_SYSTEM);
    expect(system).toEqual(['name.example.com']);
  });
});
