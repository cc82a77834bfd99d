import { expect, test } from 'vitest';
import { parsePath } from '../../src/core/rules/path.ts';
import { CATALOGUE } from '../../src/providers/catalogue.ts';
import { HANDSHAKE_HINTS } from '../../src/providers/handshake-hints.ts';
import { PROVIDERS } from '../../src/providers/providers.ts';

const entry = (name: string) => CATALOGUE.find((one) => one.name === name);
const VERIFYING = PROVIDERS.filter(({ proof }) => proof);

test('names are lower case, words joined by dashes, and each is one entry', () => {
  const names = CATALOGUE.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z\d]+(-[a-z\d]+)*$/);
  expect(names.slice(-3)).toEqual(['token', 'basic', 'custom']);
  expect(names.slice(0, -3)).toEqual(names.slice(0, -3).toSorted());
});

test('a source that verifies asks for secrets', () => {
  for (const { name, verifies, fields } of CATALOGUE) {
    expect([name, fields.includes('secrets')]).toEqual([name, verifies]);
  }
  expect(entry('twilio')?.fields).toEqual(['secrets', 'url']);
  expect(entry('token')?.fields).toEqual(['secrets', 'in']);
});

test('what a public key or a body’s own signature proves cannot be signed anew', () => {
  for (const name of [
    'stripe',
    'github',
    'gitlab',
    'slack',
    'standard-webhooks',
    'svix',
    'twilio',
  ]) {
    expect([name, entry(name)?.signs]).toEqual([name, true]);
  }
  for (const name of ['sendgrid', 'telnyx', 'mailgun', 'token', 'basic', 'custom']) {
    expect([name, entry(name)?.signs]).toEqual([name, false]);
  }
});

test('keys are paths of the rule language, to a header, the body, a form or the query', () => {
  for (const { name, once } of PROVIDERS) {
    for (const path of [...(once?.by.flat() ?? []), ...(once?.varies ?? [])]) {
      const steps = parsePath(path);
      expect([name, ['header', 'body', 'form', 'query'].includes(String(steps[0]))]).toEqual([
        name,
        true,
      ]);
      expect(steps.length).toBeGreaterThan(1);
    }
  }
  expect(entry('github')?.dedupesBy).toEqual(['header.x-github-delivery']);
  expect(entry('clickup')?.dedupesBy).toBeNull();
});

test('a provider says its secret in its own words, to follow a verb', () => {
  for (const { name, proof } of VERIFYING) {
    expect([name, proof?.secret]).toEqual([name, expect.stringMatching(/^[^.]{5,80}$/)]);
  }
});

test('a problem of a secret follows “the secret”', () => {
  for (const { proof } of VERIFYING) {
    const problem = proof?.problem('whsec_%%') ?? proof?.problem('');
    if (problem) expect(problem).toMatch(/^must be /);
  }
});

test('each check of a URL that is answered has a hint, and nothing else has one', () => {
  const withHint = Object.keys(HANDSHAKE_HINTS);
  expect(CATALOGUE.filter(({ handshake }) => handshake).map(({ name }) => name)).toEqual(withHint);
  for (const { name, title, hint } of CATALOGUE) {
    if (hint === null) continue;
    expect([name, hint]).toEqual([name, expect.stringMatching(/\.$/)]);
    expect([name, hint.length < 230 && hint.includes(title.split(' ')[0] as string)]).toEqual([
      name,
      true,
    ]);
  }
});
