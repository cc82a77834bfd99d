import { describe, expect, test } from 'vitest';
import type { HeaderPair } from '../../src/core/model.ts';
import type { Source } from '../../src/core/proof/source.ts';
import type { Verification } from '../../src/core/proof/verification.ts';
import { CATALOGUE } from '../../src/providers/catalogue.ts';
import { proofOf } from '../../src/providers/own-sources/proof-of.ts';
import { prove } from '../../src/providers/prove.ts';
import { PROVIDERS, providerOf } from '../../src/providers/providers.ts';
import {
  type ResignOptions,
  resign,
  resignerOf,
  tryResigning,
} from '../../src/providers/resign.ts';
import type { Signer } from '../../src/providers/signing/signature.ts';

const DAY_MS = 86_400_000;
const CAPTURED_AT = Date.UTC(2026, 10, 23, 12);
const NOW = CAPTURED_AT + DAY_MS;
const URL = 'https://shop.example.com/hooks/sub?a=b';
const JSON_BODY = Buffer.from('{"id":"1","type":"test"}');
const FORM_BODY = Buffer.from('MessageSid=SM1&Body=hi');

const CANDIDATES = [
  'a-text-of-32-characters-for-keys',
  'whsec_c2Vjb25kLXNlY3JldC1vZi0yNC1ieQ==',
  'v1,whsec_c2Vjb25kLXNlY3JldC1vZi0yNC1ieQ==',
  '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  'c2Vjb25kLXNlY3JldC1vZi0yNC1ieQ==',
];

const isForm = (provider: string) => provider === 'twilio';
const bodyOf = (provider: string) => (isForm(provider) ? FORM_BODY : JSON_BODY);
const typeOf = (provider: string) =>
  isForm(provider) ? 'application/x-www-form-urlencoded' : 'application/json';

const sourceOf = (provider: string): Source => ({
  ...{ provider, enforce: false, url: null, in: null, scheme: null },
  sealedSecrets: Buffer.from('sealed'),
});

const verified = (provider: string): Verification => ({
  ...{ state: 'verified', provider, secret: 1, reason: null },
});

/** A secret of a provider besides that of its samples. */
function otherSecret(provider: string, { testSecret }: Signer): string {
  const proof = proofOf(sourceOf(provider));
  const found = CANDIDATES.find((one) => one !== testSecret && proof?.problem(one) === null);
  if (found === undefined) throw new Error(`${provider} takes none of the secrets`);
  return found;
}

function captured(provider: string, secret: string): string[] {
  const signer = resignerOf(provider) as Signer;
  const headers: HeaderPair[] = [['content-type', typeOf(provider)]];
  const signature = signer.sign(
    {
      ...{ method: 'POST', url: URL, body: bodyOf(provider), deliveryId: 'msg_1', headers },
      timestampS: CAPTURED_AT / 1000,
    },
    secret,
  );
  return [...headers, ...signature].flat();
}

/** A request whose headers are replaced by a signature. */
function replaced(rawHeaders: readonly string[], signature: readonly (readonly string[])[]) {
  const names = new Set(signature.map(([name]) => (name as string).toLowerCase()));
  const kept = rawHeaders.filter(
    (_, i) => !names.has((rawHeaders[i - (i % 2)] as string).toLowerCase()),
  );
  return [...kept, ...signature.flat()];
}

describe('every provider that hookrelay signs as', () => {
  const names = CATALOGUE.filter(({ signs }) => signs).map(({ name }) => name);

  test('is there', () => {
    expect(names).toEqual(expect.arrayContaining(['stripe', 'slack', 'github', 'shopify']));
  });

  test.each(names)('%s accepts the new signature a day later, with each secret', (name) => {
    const signer = resignerOf(name) as Signer;
    // Only GitLab's signing tokens sign.
    const first = name === 'gitlab' ? (CANDIDATES[1] as string) : signer.testSecret;
    const secrets = [first, otherSecret(name, signer)];
    const rawHeaders = captured(name, secrets[0] as string);
    const request = { method: 'POST', rawHeaders, body: bodyOf(name) };
    const resigned = resign(
      { ...request, url: URL, now: NOW, eventId: 'evt_1' },
      {
        verification: verified(name),
        source: sourceOf(name),
        open: () => JSON.stringify(secrets),
      },
    );
    if ('refusal' in resigned) throw new Error(resigned.refusal);
    const stateBy = (secret: string, headers: string[]) =>
      prove(sourceOf(name), [secret], {
        ...{ method: 'POST', body: bodyOf(name), query: 'a=b', urls: [URL], receivedAt: NOW },
        rawHeaders: headers,
      }).state;
    const signed = replaced(rawHeaders, resigned.headers);
    const accepted = secrets.map((secret) => stateBy(secret, signed));
    expect(accepted).toEqual(['verified', signer.signAll ? 'verified' : 'failed']);
    expect(tryResigning(sourceOf(name), () => JSON.stringify(secrets))).toMatchObject({
      headers: resigned.headers.map(([header]) => [header, expect.any(String)]),
    });
    // The sender's own id stays: receivers tell repeats by it.
    const idHeader = providerOf(name)?.deliveryIdHeader;
    const idAt = signed.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === idHeader);
    if (idAt >= 0) expect(signed[idAt + 1]).toBe('msg_1');
  });
});

test.each(PROVIDERS.filter(({ signature }) => signature?.signer?.verificationKey))(
  '$name shows a public key only, so nothing is signed as it does',
  ({ name }) => {
    expect(resignerOf(name)).toBeNull();
  },
);

describe('nothing is signed', () => {
  const stripe = { source: sourceOf('stripe'), open: () => '["whsec_1"]' };
  const request = {
    ...{ method: 'POST', url: URL, rawHeaders: [], body: JSON_BODY, now: NOW, eventId: 'evt_1' },
  };
  const tried = (given: Partial<ResignOptions>) =>
    resign(request, { verification: verified('stripe'), ...stripe, ...given });

  test.each([
    { state: 'unverified', reason: null },
    { state: 'unverified', reason: 'edited' },
    { state: 'failed', reason: 'signature_mismatch' },
    { state: 'authenticated', reason: null },
  ] as const)('that is $state ($reason)', (verdict) => {
    const verification = { ...verified('stripe'), ...verdict };
    expect(tried({ verification })).toEqual({ refusal: expect.stringContaining(verdict.state) });
  });

  test.each<[string, Partial<ResignOptions>, string]>([
    ['without a source', { source: null }, 'no source'],
    ['with another provider', { source: sourceOf('slack') }, 'slack now'],
    ['with secrets that cannot be opened', { open: () => null }, 'cannot be opened'],
    ['without a secret', { open: () => '[]' }, 'no secret yet'],
    [
      'with a token of GitLab',
      {
        ...{ source: sourceOf('gitlab'), verification: verified('gitlab') },
        open: () => '["a token"]',
      },
      'sign nothing',
    ],
    [
      'that a token vouches for',
      { source: sourceOf('token'), verification: verified('token') },
      'as token does',
    ],
  ])('%s', (_, given, refusal) => {
    expect(tried(given)).toEqual({ refusal: expect.stringContaining(refusal) });
  });

  test('by a secret that the provider cannot use', () => {
    const name = 'standard-webhooks';
    const given = { verification: verified(name), source: sourceOf(name) };
    expect(tried({ ...given, open: () => '["whsec_!"]' })).toEqual({
      refusal: expect.stringContaining('cannot sign'),
    });
  });

  test("by the hash of another body, in a URL of Twilio's", () => {
    const name = 'twilio';
    const given = { verification: verified(name), source: sourceOf(name), open: () => '["key"]' };
    const url = `${URL}&bodySHA256=${'0'.repeat(64)}`;
    expect(resign({ ...request, url }, given)).toEqual({
      refusal: expect.stringContaining("another body's"),
    });
  });

  test('otherwise it is', () => {
    expect(tried({})).toMatchObject({ provider: 'stripe' });
  });
});
