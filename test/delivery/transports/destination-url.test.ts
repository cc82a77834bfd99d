import type { LookupAddress } from 'node:dns';
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { HookrelayError } from '../../../src/core/errors.ts';
import { checkDestinationUrl } from '../../../src/delivery/transports/webhook/destination-url.ts';

type Lookup = (hostname: string) => Promise<LookupAddress[]>;

function resolvesTo(...addresses: string[]): Lookup {
  return async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

const noLookup: Lookup = async (hostname) => {
  throw new Error(`${hostname} must not be looked up`);
};

async function refusal(text: string, resolve = resolvesTo('8.8.8.8'), allowPrivate = false) {
  const error = await checkDestinationUrl(text, { allowPrivate, resolve }).then(
    (url) => {
      throw new Error(`accepted as ${url.href}`);
    },
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(HookrelayError);
  expect(error.code).toBe('invalid_input');
  expect(error.issues).toHaveLength(1);
  expect(error.issues[0].path).toBe('url');
  return error.issues[0].message as string;
}

describe('a destination URL', () => {
  it.each([
    ['', 'absolute URL'],
    ['example.com/hook', 'absolute URL'],
    ['https://', 'absolute URL'],
    ['https://[::1', 'absolute URL'],
    ['https://exa mple.com/', 'absolute URL'],
    ['http://example.com/', 'https://'],
    ['ftp://example.com/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['https://user@example.com/', 'user name'],
    ['https://:secret@example.com/', 'user name'],
    ['https://example.com:0/', 'port 0'],
    ['https://./', 'valid host'],
    [`https://example.com/${'a'.repeat(2048)}`, '2048 characters'],
    // The URL is short as given, and long when encoded.
    [`https://example.com/${'é'.repeat(500)}`, '2048 characters'],
  ])('is refused with %s', async (text, message) => {
    expect(await refusal(text)).toContain(message);
  });

  it.each(['https:///x', 'https:x', 'https:/x', 'https:\\\\x', 'https://\t/x', 'https:////x'])(
    'is refused without a host, where a parser finds one: %j',
    async (text) => {
      for (const allowPrivate of [false, true]) {
        expect(await refusal(text, noLookup, allowPrivate)).toContain('absolute URL');
      }
    },
  );

  it.each([
    'https://localhost/',
    'https://LOCALHOST:8443/',
    'https://localhost./',
    'https://localhost%2e/',
    'https://ｌｏｃａｌｈｏｓｔ。/',
    'https://api.localhost/',
    'https://printer.local/',
    'https://printer.local./',
    'https://metadata.google.internal/',
    'https://internal/',
  ])('is refused for the local name of %s, without a look-up', async (text) => {
    expect(await refusal(text, noLookup)).toContain('local name');
  });

  it.each([
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://127.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127.0.0.1./',
    'https://127.0.0.1:8443/',
    'https://%31%32%37.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::7f00:1]/',
    'https://[::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://168.63.129.16/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0/',
    'https://10.0.0.1/',
  ])('is refused for the literal address of %s', async (text) => {
    expect(await refusal(text, noLookup)).toContain('private or reserved');
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['8.8.8.8', '10.0.0.1']],
    [['::ffff:192.168.1.1']],
    [['8.8.8.8', 'garbage']],
  ])('is refused when its name resolves to %j', async (addresses) => {
    const message = await refusal('https://rebind.example/', resolvesTo(...addresses));
    expect(message).toContain('private or reserved');
  });
});

describe('an accepted destination URL', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['https://EXAMPLE.com:443/Hook?a=1', 'https://example.com/Hook?a=1'],
    ['https://example.com/hook#part', 'https://example.com/hook'],
    ['https://example.com./hook', 'https://example.com/hook'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['  https://example.com/a  ', 'https://example.com/a'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]:8443/', 'https://[2606:4700:4700::1111]:8443/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://notlocal/', 'https://notlocal/'],
  ])('%s → %s', async (text, href) => {
    const url = await checkDestinationUrl(text, {
      allowPrivate: false,
      resolve: resolvesTo('93.184.215.14', '2606:4700::1'),
    });
    expect(url.href).toBe(href);
  });

  it('can have a name that does not resolve yet', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
    const url = await checkDestinationUrl('https://soon.example/', {
      allowPrivate: false,
      resolve,
    });
    expect(url.hostname).toBe('soon.example');
  });

  it('can have a name whose DNS hangs, after a second', async () => {
    const startedAt = performance.now();
    const resolve = () => new Promise<never>(() => {});
    await checkDestinationUrl('https://slow.example/', { allowPrivate: false, resolve });
    expect(performance.now() - startedAt).toBeGreaterThan(950);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

describe('with private destinations allowed', () => {
  it.each([
    ['http://localhost:3000/hook', 'http://localhost:3000/hook'],
    ['http://127.0.0.1/', 'http://127.0.0.1/'],
    ['https://[::1]/', 'https://[::1]/'],
    ['http://app.internal./', 'http://app.internal/'],
  ])('%s → %s', async (text, href) => {
    const url = await checkDestinationUrl(text, { allowPrivate: true, resolve: noLookup });
    expect(url.href).toBe(href);
  });

  it.each(['ftp://localhost/', 'http://user:pw@localhost/', 'http://localhost:0/', 'nonsense'])(
    'still refuses %s, to which nothing could be delivered',
    async (text) => {
      await refusal(text, noLookup, true);
    },
  );
});
