import { describe, expect, onTestFinished, test } from 'vitest';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';
import { systemClock } from '../../../src/core/runtime/runtime.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { Transport, TransportDelivery } from '../../../src/delivery/transports/transport.ts';
import { Transports } from '../../../src/delivery/transports/transports.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { closingWhenReused, receiver } from '../receivers.ts';

failOnLeaks();

function open(allowPrivate = true): Transport {
  const transports = new Transports({
    allowPrivate,
    timeoutMs: 5000,
    smtp: null,
    clock: systemClock,
    signal: new AbortController().signal,
    openSecret: () => null,
  });
  onTestFinished(() => transports.close());
  return transports.get('webhook');
}

function delivery(id: string, url: string): TransportDelivery {
  return {
    id,
    eventId: 'evt_1',
    trigger: 'capture',
    attempt: 1,
    attemptedAt: systemClock.now(),
    destination: {
      id: 'dst_1',
      url,
      sealedUrl: null,
      sealedSecret: null,
      previousSecret: null,
      sealedHeaders: null,
      settings: DEFAULT_DESTINATION_SETTINGS,
    },
    request: {
      ...{ method: 'POST', path: '', query: '', rawHeaders: [], body: Buffer.from('x') },
      verification: NOT_CHECKED,
    },
    signer: null,
  };
}

describe('validate', () => {
  test('returns the normalised URL', async () => {
    const settings = { url: 'HTTP://Example.com./hooks#part' };
    expect(await open().validate(settings)).toEqual({ url: 'http://example.com/hooks' });
  });

  test('refuses what the operator doesn’t allow, with an issue at the field', async () => {
    const refused = { code: 'invalid_input', issues: [{ path: 'url' }] };
    for (const url of ['http://example.com', 'https://127.0.0.1/', 'nonsense']) {
      await expect(open(false).validate({ url })).rejects.toMatchObject(refused);
    }
  });
});

describe('attempt', () => {
  test('gives a delivery that met a stale connection its own next', async () => {
    const target = await closingWhenReused('end');
    const webhook = open();
    let stale = '';
    for (let i = 0; stale === ''; i++) {
      const made = await webhook.attempt(delivery(`dlv_${i}`, target.origin));
      if (made?.error?.code === 'reset') stale = `dlv_${i}`;
    }
    expect(target.received).not.toContain('connection: close');
    const next = await webhook.attempt(delivery(stale, target.origin));
    expect(next).toMatchObject({ verdict: 'succeeded', error: null });
    expect(target.received.split('connection: close')).toHaveLength(2);
  });

  test('returns null when the transport is closed before an answer', async () => {
    const target = await receiver((socket) => {
      socket.once('data', () => void webhook.close());
    });
    const webhook = open();
    expect(await webhook.attempt(delivery('dlv_1', target.origin))).toBeNull();
  });
});
