import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HeaderPair } from '../../src/core/model.ts';
import type { SourceSettings } from '../../src/core/proof/source.ts';
import type { Verification } from '../../src/core/proof/verification.ts';
import { prove } from '../../src/providers/prove.ts';
import { providerOf } from '../../src/providers/providers.ts';
import { ALL_VECTORS } from './all-vectors.ts';
import type { Signed, ToSign, Vector } from './vector.ts';

/* Every provider's proof, against requests that its library or its documentation signs. */

const AT = Date.parse('2026-03-14T09:26:53Z');
const YEAR_MS = 31_536_000_000;

const VECTORS = ALL_VECTORS.flatMap(({ provider, vectors }) =>
  vectors.map((vector) => ({
    provider,
    vector,
    title: vector.name ? `${provider}, ${vector.name}` : provider,
  })),
);
const PUBLISHED = ALL_VECTORS.flatMap(({ provider, published }) =>
  published.map((one) => ({ provider, one })),
);

interface Sent extends Signed {
  method: string;
  body: Buffer;
  /** The URLs that may be the signed one. */
  urls: readonly string[];
}

function requestOf(vector: Vector): ToSign {
  return {
    method: vector.method ?? 'POST',
    url: vector.url ?? 'https://hooks.example.com/in/k3jd9?shop=1',
    body: Buffer.from(vector.body),
    at: AT,
  };
}

/** A vector's request, signed by the provider. */
function sentBy(vector: Vector, secret = vector.secret): Sent {
  return assembled(vector, vector.sign(requestOf(vector), secret));
}

function assembled(vector: Vector, signed: Signed): Sent {
  const request = requestOf(vector);
  return {
    method: request.method,
    body: signed.body ?? request.body,
    urls: [signed.url ?? request.url],
    headers: [...(vector.headers ?? []), ...signed.headers],
    ...(signed.key && { key: signed.key }),
  };
}

function proven(
  provider: string,
  sent: Sent,
  secrets: readonly string[],
  receivedAt = AT,
): Verification {
  const source: SourceSettings = { provider, enforce: false, url: null, in: null, scheme: null };
  const [url = ''] = sent.urls;
  return prove(source, secrets, {
    method: sent.method,
    urls: sent.urls,
    query: new URL(url).search.slice(1),
    rawHeaders: ['Host', 'hooks.example.com', ...sent.headers.flat(), 'Accept', '*/*'],
    body: sent.body,
    receivedAt,
    key: sent.key ?? null,
  });
}

const failed = (provider: string, reason: string): Verification => ({
  state: 'failed',
  provider,
  secret: null,
  reason: reason as Verification['reason'],
});

function withHeader(sent: Sent, name: string, value: string): Sent {
  const headers = sent.headers.map(
    ([one, old]): HeaderPair => [one, one.toLowerCase() === name.toLowerCase() ? value : old],
  );
  return { ...sent, headers };
}

function withoutHeader(sent: Sent, name: string): Sent {
  return {
    ...sent,
    headers: sent.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase()),
  };
}

/** Values that no signature has: garbage, half signatures, and what costs a careless parser. */
function hostile(value: string): string[] {
  return [
    '',
    ' ',
    ',',
    '=',
    ';',
    '.',
    'null',
    '\u0000',
    '\u00ff\u00fe',
    '%00',
    'sha256=',
    'v1,',
    't=,v1=',
    't=NaN,v1=00',
    '-1',
    '1e400',
    '9'.repeat(400),
    'a'.repeat(8000),
    ','.repeat(8000),
    '=,'.repeat(4000),
    ' v1,AA=='.repeat(1000),
    value.slice(0, -3),
    value.slice(3),
    `${value}x`,
    `x${value}`,
    [...value].reverse().join(''),
    // The right length and alphabet.
    value.replace(/[\w+/-]{20,}/g, (text) => '0'.repeat(text.length)),
    value.replace(/[\w+/-]{20,}/g, (text) => 'M'.repeat(text.length)),
  ].filter((one) => one !== value);
}

// Providers’ libraries compare signed times with the system's clock.
beforeAll(() => void vi.useFakeTimers({ now: AT, toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

describe.each(VECTORS)('$title', ({ provider, vector }) => {
  const { secret, otherSecret, window } = vector;
  const state = vector.grade ?? 'verified';
  const coversBody = state === 'verified' || vector.coversBody === true;
  const sent = sentBy(vector);
  const isInBody = vector.header === null && sent.urls[0] === requestOf(vector).url;
  const verified = (index = 1) => ({ state, provider, secret: index, reason: null });
  const proof = providerOf(provider)?.proof;

  test('the right secret verifies, with headers in any case', () => {
    expect(proof?.problem(secret)).toBeNull();
    expect(proven(provider, sent, [secret])).toEqual(verified());
    const upper = sent.headers.map(([name, value]): HeaderPair => [name.toUpperCase(), value]);
    expect(proven(provider, { ...sent, headers: upper }, [secret])).toEqual(verified());
  });

  test('the signed time is known where it is checked', () => {
    const [url = ''] = sent.urls;
    const clock = proof?.clock?.({
      ...{
        method: sent.method,
        urls: sent.urls,
        query: new URL(url).search.slice(1),
        body: sent.body,
      },
      ...{ rawHeaders: sent.headers.flat(), receivedAt: AT + 5000 },
    });
    if (!window) expect(clock ?? null).toBeNull();
    else {
      const allowedMs = window.pastS * 1000;
      expect(clock).toEqual({ signedAt: AT, receivedAt: AT + 5000, allowedMs });
    }
  });

  if (sent.key) {
    test('without its key, or with another one, nothing passes', () => {
      const { key, ...bare } = sent;
      const url = `${key?.url}x`;
      const unavailable = failed(provider, 'key_unavailable');
      expect(proven(provider, bare, [secret])).toEqual(unavailable);
      expect(proven(provider, { ...sent, key: { text: key?.text ?? '', url } }, [secret])).toEqual(
        unavailable,
      );
      for (const text of ['', 'no certificate', key?.text.slice(0, 500) ?? '']) {
        const broken = { url: key?.url ?? '', text };
        expect(proven(provider, { ...sent, key: broken }, [secret])).toEqual(unavailable);
      }
    });
  }

  test('the second of two secrets verifies', () => {
    expect(proven(provider, sent, [otherSecret, secret])).toEqual(verified(2));
  });

  test('another secret does not', () => {
    expect(proven(provider, sent, [otherSecret])).toEqual(failed(provider, 'signature_mismatch'));
    const forged = sentBy(vector, otherSecret);
    expect(proven(provider, forged, [secret])).toEqual(failed(provider, 'signature_mismatch'));
  });

  if (coversBody) {
    test('a changed byte of the body does not', () => {
      const { body } = sent;
      for (const at of [0, Math.floor(body.length / 2), body.length - 1]) {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] as number) ^ 1;
        expect(proven(provider, { ...sent, body: changed }, [secret]).state).toBe('failed');
      }
      const longer = Buffer.concat([body, Buffer.from('x')]);
      expect(proven(provider, { ...sent, body: longer }, [secret]).state).toBe('failed');
    });
  }

  test('a request without its signature does not', () => {
    const unsigned = vector.unsigned
      ? assembled(vector, vector.unsigned(vector.sign(requestOf(vector), secret)))
      : withoutHeader(sent, vector.header ?? '');
    expect(proven(provider, unsigned, [secret])).toEqual(failed(provider, 'signature_missing'));
  });

  const signedHeaders = vector.sign(requestOf(vector), secret).headers;

  if (signedHeaders.length > 0) {
    test('every header of the signature counts', () => {
      for (const [name, value] of signedHeaders) {
        expect(proven(provider, withoutHeader(sent, name), [secret]).state).toBe('failed');
        for (const text of hostile(value)) {
          const { state, secret: fitting } = proven(provider, withHeader(sent, name, text), [
            secret,
          ]);
          expect([text, state, fitting]).toEqual([text, 'failed', null]);
        }
      }
    });
  }

  // The signature's own header may come again, one for each key, where no time stands in it.
  // HubSpot doesn't sign the version.
  const once = signedHeaders.filter(
    ([name, value]) =>
      (name !== vector.header || value.includes(String(AT / 1000))) && !/version$/i.test(name),
  );

  if (once.length > 0) {
    test('a signed header that comes twice is malformed', () => {
      for (const [name, value] of once) {
        for (const again of [value, '0']) {
          const twice: Sent = { ...sent, headers: [...sent.headers, [name, again]] };
          expect([name, proven(provider, twice, [secret])]).toEqual([
            ...[name, failed(provider, 'signature_malformed')],
          ]);
        }
      }
    });
  }

  if (proof?.isPublicKey?.(secret) && vector.header) {
    const header = vector.header;

    test('three public keys and three signatures count', () => {
      const keys = (others: number) => [...Array<string>(others).fill(otherSecret), secret];
      expect(proven(provider, sent, keys(2))).toEqual(verified(3));
      expect(proven(provider, sent, keys(3))).toEqual(failed(provider, 'signature_mismatch'));
      const signature = sent.headers.find(([name]) => name === header) as HeaderPair;
      const four = { ...sent, headers: [...sent.headers, signature, signature, signature] };
      expect(proven(provider, four, [secret])).toEqual(failed(provider, 'signature_malformed'));
      // eBay sends one.
      const three = { ...four, headers: four.headers.slice(0, -1) };
      if (provider !== 'ebay') expect(proven(provider, three, [secret])).toEqual(verified());
    });
  }

  if (coversBody && vector.header) {
    test('garbage is called malformed', () => {
      const garbage = withHeader(sent, vector.header as string, 'no signature');
      expect(proven(provider, garbage, [secret])).toEqual(failed(provider, 'signature_malformed'));
    });
  }

  test('hostile bodies do not throw', () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"a":',
      '\u0000',
      '[['.repeat(20_000),
      '&'.repeat(60_000),
    ]) {
      const body = Buffer.from(text);
      if (body.equals(sent.body)) continue;
      const { state: result } = proven(provider, { ...sent, body }, [secret]);
      expect([text.slice(0, 9), result]).toEqual([
        text.slice(0, 9),
        coversBody || isInBody ? 'failed' : state,
      ]);
    }
  });

  test('a secret that cannot be one does not throw', () => {
    for (const text of ['', ' ', 'whsec_', 'whsec_%%', 'é', 'x'.repeat(4096)]) {
      expect(proven(provider, sent, [text]).state).toBe('failed');
    }
  });

  if (window) {
    const { pastS, futureS } = window;

    test('an old signature fails, and is told from a forged one', () => {
      const last = AT + pastS * 1000;
      expect(proven(provider, sent, [secret], last)).toEqual(verified());
      expect(proven(provider, sent, [secret], last + 1000)).toEqual(
        failed(provider, 'timestamp_too_old'),
      );
      expect(proven(provider, sent, [otherSecret], last + 1000)).toEqual(
        failed(provider, 'signature_mismatch'),
      );
    });

    test('a signature of the future is judged as the provider’s library does', () => {
      const first = AT - (futureS ?? YEAR_MS / 1000) * 1000;
      expect(proven(provider, sent, [secret], first)).toEqual(verified());
      const before = proven(provider, sent, [secret], first - 1000);
      expect(before).toEqual(
        futureS === null ? verified() : failed(provider, 'timestamp_in_future'),
      );
    });
  } else {
    test('the time of receipt does not matter', () => {
      expect(proven(provider, sent, [secret], AT + YEAR_MS)).toEqual(verified());
      expect(proven(provider, sent, [secret], AT - YEAR_MS)).toEqual(verified());
    });
  }

  if (proof?.coversUrl && !vector.ignoresUrl) {
    test('any of the URLs may be the signed one, another may not', () => {
      const [url = ''] = sent.urls;
      const other = url.replace('hooks.', 'internal.').replace('/in/', '/at/');
      expect(proven(provider, { ...sent, urls: [other, url] }, [secret])).toEqual(verified());
      expect(proven(provider, { ...sent, urls: [other] }, [secret])).toEqual(
        failed(provider, 'signature_mismatch'),
      );
    });
  }

  const signer = providerOf(provider)?.signature?.signer;

  if (signer && !vector.isVerifiedOnly) {
    test('what hookrelay signs verifies', async () => {
      const request = { ...requestOf(vector), body: sent.body, url: sent.urls[0] as string };
      const names = new Set(signedHeaders.map(([name]) => name.toLowerCase()));
      const idHeader = sent.headers.find(([name]) => /(?:webhook|svix|message)-id$/i.test(name));
      const others = [...(vector.headers ?? []), ...(idHeader ? [idHeader] : [])];
      const added = signer?.sign(
        {
          ...request,
          timestampS: AT / 1000,
          deliveryId: idHeader?.[1] ?? 'msg_1',
          headers: others,
        },
        secret,
      );
      const headers = [
        ...others.filter(
          ([name]) => !added?.some(([one]) => one.toLowerCase() === name.toLowerCase()),
        ),
        ...(added ?? []),
      ];
      expect(names.has((added?.at(-1)?.[0] ?? '').toLowerCase())).toBe(true);
      const key = signer?.verificationKey?.(secret) ?? secret;
      expect(proven(provider, { ...sent, headers }, [key])).toEqual(verified());
      if (vector.accepts) expect(await vector.accepts({ ...request, headers }, secret)).toBe(true);
    });
  }

  if (vector.accepts) {
    test('the provider’s library agrees', async () => {
      const request = { ...requestOf(vector), ...sent, url: sent.urls[0] as string };
      expect(await vector.accepts?.(request, secret)).toBe(true);
      expect(await vector.accepts?.(request, otherSecret)).toBe(false);
    });
  }
});

describe('published requests', () => {
  test.each(PUBLISHED)('$provider: $one.source', ({ provider, one }) => {
    const sent: Sent = {
      method: one.method ?? 'POST',
      urls: [one.url ?? 'https://hooks.example.com/'],
      body: Buffer.from(one.body),
      headers: one.headers,
      ...(one.key && { key: one.key }),
    };
    const { state, reason } = proven(provider, sent, [one.secret], one.receivedAt);
    const grade = one.grade ?? providerOf(provider)?.proof?.grade ?? null;
    const wanted = one.reason ? 'failed' : grade;
    expect({ state, reason }).toEqual({ state: wanted, reason: one.reason ?? null });
  });
});
