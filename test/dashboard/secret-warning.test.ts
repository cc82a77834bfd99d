import { expect, test } from 'vitest';
import type { ProviderAnswer } from '../../src/api/sources/provider-answer.ts';
import { secretWarning } from '../../src/dashboard/views/proof/secret-warning.ts';

const named = (title: string, to: Partial<ProviderAnswer> = {}) =>
  ({ title, secret: 'the secret', secret_prefix: null, ...to }) as ProviderAnswer;
const STRIPE = named('Stripe', { secret_prefix: 'whsec_' });
const GITHUB = named('GitHub');

test.each([
  ['', STRIPE, null],
  ['whsec_abc', STRIPE, null],
  ['  whsec_abc\n', STRIPE, null],
  ['sk_live_abc', STRIPE, /^A secret of Stripe begins with whsec_\.$/],
  ['whpk_abc', STRIPE, null],
  ['whsec_a bc', STRIPE, /blank/],
  ['"whsec_abc"', STRIPE, /quotes/],
  ['********1111', GITHUB, /masked/],
  ['SECRET=abc', GITHUB, /name in front/],
  ['Bearer abc', GITHUB, /scheme/],
  ['Bearer abc', named('RevenueCat', { secret: 'the value of the Authorization header' }), null],
  ['two\nlines', GITHUB, /line break/],
  ['a phrase of words', GITHUB, null],
  ['-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----', GITHUB, null],
  // A key of one's own may be any text.
  ['"quoted"', named('A signature of your own', { secret: null }), null],
  ['"quoted"', null, /quotes/],
])('%j of %o', (typed, provider, expected) => {
  const warning = secretWarning(typed, provider);
  if (expected === null) expect(warning).toBeNull();
  else expect(warning).toMatch(expected);
});
