import { expect, test } from 'vitest';
import { bodyView } from '../../../src/ai/body-view.ts';
import { promptBody } from '../../../src/ai/ollama/prompt-payload.ts';
import {
  isSecretHeader,
  isSecretName,
  REDACTED,
  redactText,
  redactUrl,
} from '../../../src/ai/ollama/redact.ts';
import { jsonEvent } from '../ai-events.ts';

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
  '{"name":"password","value":"hunter2"}',
  '{"name": "Your passcode", "value": "hunter2"}',
  'passcode: hunter2',
  'pass=hunter2',
  'x-auth: hunter2',
  'curl -u ada:hunter2 https://example.com',
  "curl --user 'ada:hunter2' https://example.com",
  '{\\"password\\":\\"hunter2\\"}',
  '{\\\\\\"token\\\\\\":\\\\\\"hunter2\\\\\\"}',
  '{"password":"a\\"hunter2"}',
  '{\\"password\\":\\"a\\\\\\"hunter2\\",\\"b\\":1}',
  'https://hooks.slack.com/services/T0A1/B0C2/a1a1a1a1',
  'https://discord.com/api/webhooks/1234567/a1a1a1a1-xyz',
  'https://canary.discordapp.com/api/v10/webhooks/1234567/a1a1a1a1',
  `lin_api_${'a1'.repeat(20)}`,
  `hf_${'a1'.repeat(17)}`,
  `123456789:${'a1'.repeat(17)}-`,
  `https://api.telegram.org/bot123456789:${'a1'.repeat(17)}_/sendMessage`,
  `xapp-1-A0-${'a1'.repeat(10)}`,
  `MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.${'a1'.repeat(19)}`,
  `dp.pt.${'a1'.repeat(20)}`,
  'https://example.com/reset-password/a1a1a1a1',
  'https://example.com/u/confirm?x=a1a1a1a1',
  'https://example.com/auth/magic/a1a1a1a1',
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'DE89 3704 0044 0532 0130 00',
  'GB29NWBK60161331926819',
])('%s is redacted', (secret) => {
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
    'wJalr',
    'CYEX',
    '3704',
    'NWBK',
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
  'the tests pass, and 12 passed',
  'https://example.com/orders/1001?page=2',
  'DE00 3704 0044 0532 0130 00',
  'ratio 12:30, at 12345678:short',
  'user -u ada',
  'com.example.payments.OrderCreatedEventHandlerX',
])('%s stays', (text) => {
  expect(redactText(text)).toBe(text);
});

test('headers and members are redacted by their names', () => {
  for (const name of [
    'Authorization',
    'Cookie',
    'X-Hub-Signature-256',
    'X-Gitlab-Token',
    'x-api-key',
    'stripe-signature',
    'X-Auth',
    'x-auth-key',
    'X-Passcode',
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
    'passcode',
    'pass',
    'x-auth',
    'userPass',
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

test.each([
  { fields: [{ name: 'password', value: 'hunter2' }] },
  { questions: [{ label: 'Your passcode', answer: { text: 'hunter2' } }] },
  { custom: { key: 'apiToken', value: ['hunter2'] } },
  { headers: [['X-Auth', 'hunter2']] },
  { raw: JSON.stringify({ inner: JSON.stringify({ password: 'a"hunter2' }) }) },
  { login: { pass: 'hunter2', passcode: 'hunter2' } },
])('secrets in a body are redacted, %j', (body) => {
  const text = promptBody(bodyView(jsonEvent(JSON.stringify(body))));
  expect(text).toContain(REDACTED);
  expect(text).not.toContain('hunter2');
});

test('a named member without a secret stays', () => {
  const body = JSON.stringify({ fields: [{ name: 'colour', value: 'red' }, ['size', 'large']] });
  const text = promptBody(bodyView(jsonEvent(body)));
  expect(text).toContain('red');
  expect(text).toContain('large');
});

test('URLs keep host and path, not their keys', () => {
  expect(redactUrl('https://user:pw@hooks.example.com/services/T0/B0/abcdefgh12345678?k=v')).toBe(
    `https://hooks.example.com/services/T0/B0/${REDACTED}?${REDACTED}`,
  );
  expect(redactUrl('no url')).toBe(REDACTED);
});

test('hostile text is redacted quickly', () => {
  const before = process.threadCpuUsage();
  for (const unit of [
    'password ',
    '4',
    'a://',
    'eyJaaaaaaaa.',
    '-----BEGIN PRIVATE KEY-----',
    '"token":"',
    'is ',
    '\\"',
    '{"name":"password",',
    'https://a/reset',
    'https://',
    '-u ',
    'token=\\"',
    'token=\\"\\',
    'aA0',
    'DE89 ',
    '123456:',
    'a.',
  ]) {
    redactText(unit.repeat(16_000 / unit.length));
  }
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1000);
});
