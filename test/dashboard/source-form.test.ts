import { describe, expect, test } from 'vitest';
import type { SourceAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import type { ProviderAnswer } from '../../src/api/sources/provider-answer.ts';
import {
  providerNamed,
  type SecretRow,
  type SourceForm,
  secretRowsOf,
  sourceChange,
  sourceFormOf,
  typedRows,
} from '../../src/dashboard/views/proof/source-form.ts';
import { CATALOGUE } from '../../src/providers/catalogue.ts';

const PROVIDERS: ProviderAnswer[] = CATALOGUE.map(
  ({ signsNote, dedupesBy, secretPrefix, ...entry }) => ({
    ...entry,
    signs_note: signsNote,
    fields: [...entry.fields],
    dedupes_by: dedupesBy && [...dedupesBy],
    secret_prefix: secretPrefix,
  }),
);
const STRIPE: SourceAnswer = {
  provider: 'stripe',
  secrets: ['********1111', '********2222'],
  enforce: true,
  url: null,
};
const CUSTOM: SourceAnswer = {
  provider: 'custom',
  secrets: ['********'],
  enforce: false,
  url: 'https://shop.example.com/in',
  scheme: {
    signature: 'header.x-signature',
    form: 'sha256={hex}',
    algorithm: 'hmac-sha512',
    signed: '{header.x-time}.{body}',
    timestamp: 'header.x-time',
    tolerance: '2m',
  },
};

const pasted = (value: string, user = ''): SecretRow => ({
  ...{ key: 9, user, value },
  present: null,
  isRemoved: false,
});

/** What is sent after these changes of the form. */
function change(
  before: SourceAnswer | null,
  typed: Partial<SourceForm> = {},
  rows: SecretRow[] = secretRowsOf(before),
): Record<string, unknown> {
  const form = { ...sourceFormOf(before, PROVIDERS), ...typed };
  return sourceChange(before, form, rows, providerNamed(form.provider, PROVIDERS));
}

describe('the provider', () => {
  test.each([
    ['Stripe', 'stripe'],
    [' stripe ', 'stripe'],
    ['LEMON SQUEEZY', 'lemon-squeezy'],
    ['lemon-squeezy', 'lemon-squeezy'],
    ['HTTP Basic', 'basic'],
    ['a signature of your own', 'custom'],
  ])('%j is %s', (typed, name) => {
    expect(providerNamed(typed, PROVIDERS)?.name).toBe(name);
  });

  test('is the server’s to refuse where nobody knows it', () => {
    expect(providerNamed('strpie', PROVIDERS)).toBeNull();
    expect(change(null, { provider: ' strpie ' }, [pasted('x')])).toEqual({
      provider: 'strpie',
      secrets: ['x'],
    });
  });

  test('has a title of its own', () => {
    const titles = PROVIDERS.map(({ title }) => title.toLowerCase());
    expect(new Set(titles).size).toBe(titles.length);
  });
});

describe('the change of a source', () => {
  test.each([
    ['stripe', STRIPE],
    ['custom', CUSTOM],
  ])('is empty when nothing was typed: %s', (_, before) => {
    expect(change(before)).toEqual({});
  });

  test('sends what a new source needs, and nothing that its provider hasn’t', () => {
    const typed = { provider: 'Stripe', url: 'https://other.example.com', in: 'header.x-other' };
    expect(change(null, typed, [pasted('whsec_1'), pasted('whsec_2')])).toEqual({
      provider: 'stripe',
      secrets: ['whsec_1', 'whsec_2'],
    });
    expect(change(null, { ...typed, provider: 'twilio' }, [pasted('a')])).toEqual({
      provider: 'twilio',
      secrets: ['a'],
      url: 'https://other.example.com',
    });
    expect(change(null, { ...typed, provider: 'token', in: ' query.t ' }, [pasted('a')])).toEqual({
      provider: 'token',
      secrets: ['a'],
      in: 'query.t',
    });
  });

  test('without a secret leaves it to the server to ask for one', () => {
    expect(change(null, { provider: 'stripe' }, [pasted('')])).toEqual({
      provider: 'stripe',
      secrets: [],
    });
  });

  test('adds, removes and replaces secrets by their numbers, never by their masks', () => {
    const [first, second] = secretRowsOf(STRIPE) as [SecretRow, SecretRow];
    const removed = { ...first, isRemoved: true };
    const cases: [SecretRow[], object][] = [
      [[first, second, pasted('')], {}],
      [[first, second, pasted('whsec_3')], { keep_secrets: [1, 2], secrets: ['whsec_3'] }],
      [[removed, second], { keep_secrets: [2] }],
      [[removed, second, pasted('whsec_3')], { keep_secrets: [2], secrets: ['whsec_3'] }],
      [[removed, { ...second, isRemoved: true }], { keep_secrets: [] }],
    ];
    for (const [rows, sent] of cases) {
      expect(change(STRIPE, {}, rows)).toEqual(sent);
      expect(JSON.stringify(change(STRIPE, {}, rows))).not.toContain('****');
    }
  });

  test('to another provider keeps no secret', () => {
    expect(change(STRIPE, { provider: 'github' }, [pasted('s')])).toEqual({
      provider: 'github',
      secrets: ['s'],
    });
  });

  test.each([
    ['stripe', ' whsec_1 \n', 'whsec_1'],
    ['token', '\tabc\r\n', 'abc'],
    // A key of one's own may begin or end with a blank.
    ['custom', ' abc \r\n', ' abc '],
    ['stripe', 'two\nlines\n', 'two\nlines'],
  ])('takes what was pasted along off a secret of %s: %j', (provider, typed, secret) => {
    expect(change(null, { provider }, [pasted(typed)])).toMatchObject({ secrets: [secret] });
  });

  test('joins a user and a password', () => {
    const rows = [pasted('p:w', ' ada '), pasted('', 'bob'), pasted('')];
    expect(typedRows(rows)).toHaveLength(2);
    expect(change(null, { provider: 'basic' }, rows)).toEqual({
      provider: 'basic',
      secrets: ['ada:p:w', 'bob:'],
    });
  });

  test('replaces a scheme whole', () => {
    const { scheme } = sourceFormOf(CUSTOM, PROVIDERS);
    const typed = { scheme: { ...scheme, timestamp: ' ', tolerance: '', signed: '{body}' } };
    expect(change(CUSTOM, typed)).toEqual({
      scheme: {
        signature: 'header.x-signature',
        form: 'sha256={hex}',
        algorithm: 'hmac-sha512',
        signed: '{body}',
        timestamp: null,
      },
    });
    expect(change(CUSTOM, { url: '' })).toEqual({ url: null });
    expect(change(null, { provider: 'custom' }, [pasted('k')])).toMatchObject({
      scheme: { signed: '{body}', timestamp: null, tolerance: '5m' },
    });
  });
});
