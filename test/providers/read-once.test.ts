import { afterEach, expect, test, vi } from 'vitest';
import { prove } from '../../src/providers/prove.ts';

const SECRETS = Array.from({ length: 10 }, (_, i) => `0${i}`);

afterEach(() => void vi.restoreAllMocks());

test.each([
  ['adyen', { notificationItems: [{ NotificationRequestItem: {} }] }],
  ['microsoft-graph', { value: [{ clientState: 'x' }] }],
  ['figma', { passcode: 'x' }],
  ['mailgun', { signature: { timestamp: '1', token: 'a', signature: 'b' } }],
])('%s’s body is parsed once, whatever the number of secrets', (provider, json) => {
  const source = { provider, enforce: false, url: null, in: null, scheme: null };
  const parse = vi.spyOn(JSON, 'parse');
  const body = Buffer.from(JSON.stringify(json));
  const request = { method: 'POST', urls: [], query: '', rawHeaders: [], receivedAt: 0 };
  expect(prove(source, SECRETS, { ...request, body }).state).toBe('failed');
  expect(parse).toHaveBeenCalledTimes(1);
  // The memory of a body may hold another one later.
  expect(prove(source, SECRETS, { ...request, body }).state).toBe('failed');
  expect(parse).toHaveBeenCalledTimes(2);
});
