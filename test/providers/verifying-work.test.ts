import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SourceSettings } from '../../src/core/proof/source.ts';
import { VerifyingTooCostly, VerifyingWork } from '../../src/core/proof/verifying-work.ts';
import { prove } from '../../src/providers/prove.ts';
import type { SignedRequest } from '../../src/providers/signing/signed-request.ts';
import { ALL_VECTORS } from './all-vectors.ts';

/* What verifying takes is counted before it is done. */

const AT = Date.parse('2026-03-14T09:26:53Z');
const KiB = 1024;

function sourceOf(provider: string, more: Partial<SourceSettings> = {}): SourceSettings {
  return { provider, enforce: false, url: null, in: null, scheme: null, ...more };
}

function requestOf(one: Partial<SignedRequest>): SignedRequest {
  const none = { method: 'POST', urls: [], query: '', rawHeaders: [], body: Buffer.alloc(0) };
  return { ...none, receivedAt: AT, ...one };
}

/** The providers with a vector that takes as long as a signature by a public key. */
function costlyProviders(): string[] {
  const isCostly = ({ provider, vectors }: (typeof ALL_VECTORS)[number]) =>
    vectors.some((vector) => {
      const url = vector.url ?? 'https://hooks.example.com/in/k3jd9?shop=1';
      const { method = 'POST', secret } = vector;
      const body = Buffer.from(vector.body);
      const signed = vector.sign({ method, url, body, at: AT }, secret);
      const work = new VerifyingWork(100 * KiB);
      const request = requestOf({
        ...{ method, urls: [signed.url ?? url], query: new URL(signed.url ?? url).search.slice(1) },
        ...{ body: signed.body ?? body, key: signed.key ?? null, work },
        rawHeaders: [...(vector.headers ?? []), ...signed.headers].flat(),
      });
      try {
        expect(prove(sourceOf(provider), [secret], request)).toMatchObject({ secret: 1 });
        return false;
      } catch (error) {
        if (error instanceof VerifyingTooCostly) return true;
        throw error;
      }
    });
  return ALL_VECTORS.filter(isCostly).map(({ provider }) => provider);
}

test('signatures by public keys are counted, of every provider that has them', () => {
  const found = [
    ...[
      'aws-sns',
      'discord',
      'ebay',
      'paypal',
      'postal',
      'sendgrid',
      'standard-webhooks',
      'telnyx',
    ],
  ];
  expect(costlyProviders().sort()).toEqual(found);
});

test('each secret hashes the body, and the first that fits is the last', () => {
  const body = Buffer.alloc(10 * KiB);
  const signature = createHmac('sha256', 'right').update(body).digest('hex');
  const rawHeaders = ['X-Hub-Signature-256', `sha256=${signature}`];
  const spent = (secrets: string[]) => {
    const work = new VerifyingWork(100 * KiB);
    prove(sourceOf('github'), secrets, requestOf({ body, rawHeaders, work }));
    return work.spent;
  };
  expect(spent(['right', 'other', 'another'])).toBe(10 * KiB);
  expect(spent(['other', 'right', 'another'])).toBe(20 * KiB);
  expect(spent(['other', 'another'])).toBe(20 * KiB);
});

test('at most twenty values are compared with a secret', () => {
  const source = sourceOf('token', { in: 'header.x-token' });
  const after = (others: number) => {
    const values = [...Array<string>(others).fill('no'), 'yes'];
    const rawHeaders = values.flatMap((value) => ['X-Token', value]);
    const query = values.map((value) => `t=${value}`).join('&');
    return [source, { ...source, in: 'query.t' }].map(
      (one) => prove(one, ['yes'], requestOf({ rawHeaders, query })).state,
    );
  };
  expect(after(19)).toEqual(['authenticated', 'authenticated']);
  expect(after(20)).toEqual(['failed', 'failed']);
});
