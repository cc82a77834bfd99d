import { expect, test } from 'vitest';
import {
  isSecretHeader,
  isSecretName,
  REDACTED,
  redactText,
  redactUrl,
} from '../../../src/ai/ollama/redact.ts';

test.each([
  'Authorization: Bearer abcdef0123456789',
  'Basic QWxhZGRpbjpvcGVu',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  'sk_live_51H8xKq',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  `ghp_${'a1'.repeat(18)}`,
  'xoxb-123-456-abc',
  'AKIAIOSFODNN7EXAMPLE',
  'hr_0123456789abcdefghij',
  'SG.abcdefghijkl.mnopqrstuvwx',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\nMIIabc',
  'https://ada:hunter2@example.com/',
  'password=hunter2',
  '"api_key": "hunter2"',
  "clientSecret: 'hunter2'",
  'the password is hunter2',
  '?access_token=hunter2&x=1',
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  '378282246310005',
])('%s is taken out', (secret) => {
  const text = redactText(`before ${secret} after`);
  expect(text).toContain(REDACTED);
  expect(text).toMatch(/^before /);
  for (const part of [
    'hunter2',
    '4242',
    'MIIabc',
    'abcdef0',
    'QWxh',
    'eyJ',
    '51H8',
    'C2FV',
    'a1a1',
    '123-456',
    'IOSF',
    '0123456789',
    'mnop',
    '3782',
  ]) {
    expect(text).not.toContain(part);
  }
});

test.each([
  'order 1001 of ada@example.com',
  'id 1234567890123456',
  'tokens are counted',
  'https://example.com/orders/1001',
  '2026-11-21T09:00:00.000Z',
  'commit 4a1b2c3d4e5f60718293a4b5c6d7e8f901234567',
])('%s stays', (text) => {
  expect(redactText(text)).toBe(text);
});

test('headers and members, by their names', () => {
  for (const name of [
    'Authorization',
    'Cookie',
    'X-Hub-Signature-256',
    'X-Gitlab-Token',
    'x-api-key',
    'stripe-signature',
  ]) {
    expect(isSecretHeader(name), name).toBe(true);
  }
  for (const name of ['content-type', 'x-github-event', 'user-agent', 'webhook-id']) {
    expect(isSecretHeader(name), name).toBe(false);
  }
  for (const name of [
    'password',
    'clientSecret',
    'access_token',
    'api-key',
    'cvc',
    'otp',
    'private_key',
    'sessionToken',
    'card_number',
    'iban',
  ]) {
    expect(isSecretName(name, []), name).toBe(true);
  }
  for (const name of [
    'author',
    'name',
    'number',
    'tokenizer',
    'inside',
    'pinned',
    'authority',
    'id',
  ]) {
    expect(isSecretName(name, []), name).toBe(false);
  }
  expect(isSecretName('number', ['number', 'cvc'])).toBe(true);
});

test('URLs keep where they lead, not their keys', () => {
  expect(redactUrl('https://user:pw@hooks.example.com/services/T0/B0/abcdefgh12345678?k=v')).toBe(
    `https://hooks.example.com/services/T0/B0/${REDACTED}?${REDACTED}`,
  );
  expect(redactUrl('no url')).toBe(REDACTED);
});

test('hostile text takes no long', () => {
  const started = performance.now();
  for (const unit of [
    'password ',
    '4',
    'a://',
    'eyJaaaaaaaa.',
    '-----BEGIN PRIVATE KEY-----',
    '"token":"',
    'is ',
  ]) {
    redactText(unit.repeat(16_000 / unit.length));
  }
  expect(performance.now() - started).toBeLessThan(1000);
});
