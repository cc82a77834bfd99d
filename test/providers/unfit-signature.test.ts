import { expect, test } from 'vitest';
import type { CustomScheme } from '../../src/core/proof/source.ts';
import { NOT_CHECKED } from '../../src/core/proof/verification.ts';
import { unfitSignature } from '../../src/providers/unfit-signature.ts';

type Edits = Parameters<typeof unfitSignature>[2];

const NONE: Edits = {
  isBodyEdited: false,
  isUrlEdited: false,
  isMethodEdited: false,
  headers: [],
};
const BODY = { ...NONE, isBodyEdited: true };
const URL_ONLY = { ...NONE, isUrlEdited: true };
const GITHUB = 'X-Hub-Signature-256';

const SCHEME: CustomScheme = {
  signature: 'header.x-signature',
  form: '{hex}',
  algorithm: 'hmac-sha256',
  signed: '{header.x-time}.{body}',
  timestamp: null,
  toleranceMs: 0,
};
const SOURCE = {
  ...{ provider: 'custom', enforce: false, url: null, in: null, scheme: SCHEME },
  sealedSecrets: new Uint8Array(),
};

test.each<[string, string | null, string, Partial<Edits>, string | null]>([
  ['another body', 'github', GITHUB, BODY, GITHUB],
  ['another URL, which isn’t signed', 'github', GITHUB, URL_ONLY, null],
  ['a new signature', 'github', GITHUB, { ...BODY, headers: ['x-hub-signature-256'] }, null],
  ['no signature', 'github', 'x-other', BODY, null],
  ['another URL, which is signed', 'twilio', 'X-Twilio-Signature', URL_ONLY, 'X-Twilio-Signature'],
  ['a token', 'gitlab', 'X-Gitlab-Token', BODY, null],
  ['a signature instead of the token', 'gitlab', 'webhook-signature', BODY, 'webhook-signature'],
  ['an unknown sender', null, 'x-signature', BODY, null],
])('%s', (_, provider, header, edits, unfit) => {
  const event = { provider, verification: NOT_CHECKED, rawHeaders: [header, 'a'] };
  expect(unfitSignature(event, null, { ...NONE, ...edits })).toBe(unfit);
});

test('a signature that a person described covers what its words say', () => {
  const verification = { state: 'verified', provider: 'custom', secret: 1, reason: null } as const;
  const event = { provider: null, verification, rawHeaders: ['X-Signature', 'a', 'x-time', '1'] };
  const of = (edits: object) => unfitSignature(event, SOURCE, { ...NONE, ...edits });
  expect(of(BODY)).toBe('x-signature');
  expect(of({ headers: ['X-Time'] })).toBe('x-signature');
  expect(of({ ...URL_ONLY, isMethodEdited: true, headers: ['x-other'] })).toBeNull();
});
