import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { inject, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { beside, judge, timesOf } from './beside.ts';
import type { Sent } from './paced-captures.ts';

/*
 * A stranger sends what takes long to verify and to judge. Another account captures at a steady
 * pace meanwhile. The control is the same run with the same bytes, to an endpoint that verifies
 * and judges nothing.
 */

const { neighbourCaptures } = inject('scale');
const FLAGS = ['--allow-private-destinations', '--log-format', 'json'];
const SECRET = 'the secret of the sender';

/** A source whose requests take 18 signatures by a public key to verify. */
function costlySource() {
  const keys = Array.from({ length: 3 }, () => {
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    return Buffer.from(x as string, 'base64url').toString('hex');
  });
  const scheme = {
    signature: 'header.x-signature',
    form: '{hex}',
    algorithm: 'ed25519',
    signed: '{url}{body}',
    timestamp: null,
  };
  return { provider: 'custom', secrets: keys, scheme };
}

/** Signatures of another text: random bytes would fail before anything is computed. */
const FORGED = {
  'x-signature': Array.from({ length: 3 }, () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    return sign(null, randomBytes(8), privateKey).toString('hex');
  }).join(','),
};

test('signatures that take long', async () => {
  const served = await serveIn(tempDir(), FLAGS);
  const [stranger, other] = [await register(served), await register(served)];
  const attacked = await stranger.createEndpoint({ source: costlySource() });
  const plain = await stranger.createEndpoint();
  const steady = await other.createEndpoint();
  const pace = { count: neighbourCaptures, everyMs: 10 };
  const forged: Sent = { headers: FORGED, mostWaiting: 200 };
  const slower = { count: neighbourCaptures / 2, everyMs: 20 };
  // A signature that fits no key takes as long as one that does.
  const own = { 'x-signature': FORGED['x-signature'].slice(0, 128) };
  await judge((isAttack) =>
    beside(
      [{ url: (isAttack ? attacked : plain).capture_url, everyMs: 5, sent: forged }],
      async () => {
        const [others, same] = await Promise.all([
          timesOf(steady.capture_url, pace, {}),
          timesOf(attacked.capture_url, slower, { headers: own, localAddress: '127.0.0.2' }),
        ]);
        return {
          'captures of another account beside costly signatures': others,
          'captures of another sender to the same endpoint': same,
        };
      },
    ),
  );
});

test('small bodies that take long to judge', async () => {
  const served = await serveIn(tempDir(), FLAGS);
  const [stranger, other] = [await register(served), await register(served)];
  const attacked = await stranger.createEndpoint();
  await stranger.addDestination(attacked, 'http://127.0.0.1:9/', undefined, {
    filter: 'body.a=1',
  });
  const plain = await stranger.createEndpoint();
  const steady = await other.createEndpoint();
  // Each of these numbers is compared exactly.
  const costly: Sent = { body: `[${'1e400,'.repeat(10_000)}1]`, mostWaiting: 200 };
  await judge((isAttack) =>
    beside(
      [{ url: (isAttack ? attacked : plain).capture_url, everyMs: 10, sent: costly }],
      async () => {
        const times = await timesOf(
          steady.capture_url,
          { count: neighbourCaptures, everyMs: 10 },
          {},
        );
        return { 'captures of another account beside costly bodies': times };
      },
    ),
  );
});

test('large bodies that take long', async () => {
  const served = await serveIn(tempDir(), FLAGS);
  const [stranger, other] = [await register(served), await register(served)];
  const attacked = await stranger.createEndpoint({ source: costlySource() });
  await stranger.addDestination(attacked, 'http://127.0.0.1:9/', undefined, {
    filter: 'body.a[*].b=1',
  });
  const plain = await stranger.createEndpoint();
  const steady = await other.createEndpoint({
    source: { provider: 'github', secrets: [SECRET], enforce: true },
  });
  const body = JSON.stringify({ text: 'x'.repeat(70_000) });
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  const signed: Sent = { body, headers: { 'x-hub-signature-256': `sha256=${signature}` } };
  const large: Sent = { headers: FORGED, body: '[[],[],', bytes: 24_000_000, mostWaiting: 2 };
  await judge((isAttack) =>
    beside(
      [{ url: (isAttack ? attacked : plain).capture_url, everyMs: 1000, sent: large }],
      async () => {
        const pace = { count: neighbourCaptures / 5, everyMs: 50 };
        const times = await timesOf(steady.capture_url, pace, signed);
        return { 'captures of 70 KB beside large bodies': times };
      },
    ),
  );
});
