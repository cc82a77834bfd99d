import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newChannel, newTarget } from '../../../src/api/channels/new-channel.ts';
import { INTERNAL_USER } from '../../../src/core/channels/channel.ts';
import { confirmationHash, confirmationUrl } from '../../../src/core/channels/confirmation.ts';
import { mailtoAddress, mailtoUrl } from '../../../src/core/channels/mailto-url.ts';
import { Keys } from '../../../src/core/secrets/keys.ts';

const NOW = Date.parse('2026-03-14T09:26:53Z');
const keys = new Keys(randomBytes(32));
const CHOSEN = { userId: 'usr_01', kinds: null, endpointIds: null, secret: null } as const;

test('a webhook channel signs, keeps its URL, and is confirmed', () => {
  const target = 'https://ops.example.com/alerts?team=1';
  const made = newChannel({ ...CHOSEN, type: 'webhook', target, secret: 'whsec_abc=' }, keys, NOW);
  const { channel, token } = made;
  expect(token).toBeNull();
  expect(channel).toMatchObject({ userId: 'usr_01', target, confirmedAt: NOW, confirmHash: null });
  expect(channel.endpoint).toMatchObject({
    userId: INTERNAL_USER.id,
    settings: { dedupe: { by: ['header.idempotency-key'] } },
  });
  expect(channel.destination).toMatchObject({ url: target, settings: { path: 'ignore' } });
  const sealed = channel.destination.sealedSecret as Uint8Array;
  expect(keys.open(sealed, channel.destination.id)).toBe('whsec_abc=');
});

test('an address waits for its confirmation, and only the hash of its token is kept', () => {
  const target = 'ada@example.com';
  const { channel, token } = newChannel({ ...CHOSEN, type: 'email', target }, keys, NOW);
  expect(channel).toMatchObject({ confirmedAt: null, confirmSentAt: NOW });
  expect(channel.confirmHash).toEqual(confirmationHash(token as string));
  expect(channel.destination).toMatchObject({
    url: 'mailto:ada@example.com',
    sealedSecret: null,
    settings: { timeout: 60_000 },
  });
  expect(confirmationUrl('https://hooks.example.com', token as string)).toMatch(
    /^https:\/\/hooks\.example\.com\/confirm\?token=[\w-]{43}$/,
  );
  const context = { destinationId: channel.destination.id, keys, now: NOW + 1 };
  const next = newTarget('email', 'grace@example.com', context);
  expect(next.token).not.toBe(token);
});

test('a URL of Slack is sealed, and stands masked wherever the channel has it', () => {
  const target = 'https://hooks.slack.com/services/T0/B0/secret';
  const { channel } = newChannel({ ...CHOSEN, type: 'slack', target }, keys, NOW);
  const { id, url, sealedUrl } = channel.destination;
  expect([channel.target, url]).toEqual(Array(2).fill('https://hooks.slack.com/********'));
  expect(keys.open(sealedUrl as Uint8Array, id)).toBe(target);
});

test.each(['ada@example.com', "o'brien+a%b?c&d#e/f@example.com", 'a@b'])(
  'an address survives its URL: %s',
  (address) => {
    const url = mailtoUrl(address);
    expect(new URL(url)).toMatchObject({ protocol: 'mailto:', search: '', hash: '' });
    expect(mailtoAddress(url)).toBe(address);
    expect(mailtoAddress(new URL(url).href)).toBe(address);
  },
);

test.each(['https://example.com/', 'mailto:ada', 'mailto:a@b?bcc=c@d', 'mailto:%zz@b', ''])(
  'no address: %s',
  (url) => {
    expect(mailtoAddress(url)).toBeNull();
  },
);
