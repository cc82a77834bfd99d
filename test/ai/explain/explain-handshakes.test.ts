import { describe, expect, test } from 'vitest';
import { explainEvent } from '../../../src/ai/explain/explain-event.ts';
import { URL_CHECKS } from '../../fixtures/url-checks.ts';
import { capturedEvent } from '../ai-events.ts';

/* A provider's check of a URL is explained as one, where it was stored as one. */

const WORDS = /check|Check/;

describe('a check by the source’s provider', () => {
  test.each(URL_CHECKS.map((check) => [check.name, check] as const))('%s', (_, check) => {
    const { method = 'POST', query = '', body = '', headers, provider, secret } = check;
    const rawHeaders = Object.entries(headers?.(secret, Date.now()) ?? {}).flat();
    const event = capturedEvent(rawHeaders, body, { method, query });
    const asked = { state: 'unverified', provider, secret: null, reason: null } as const;
    const text = explainEvent({ ...event, verification: asked });
    expect(text).toMatch(WORDS);
    expect(text).not.toContain('your service has to answer');
  });
});

test.each<[string, string, string]>([
  ['HEAD', '', ''],
  ['GET', 'crc_token=a', ''],
  ['POST', '', 'webhook_id=1'],
])('without the source, %s %s %s is a request like any', (method, query, body) => {
  expect(explainEvent(capturedEvent([], body, { method, query }))).not.toMatch(WORDS);
});

test('an event of Discord’s is no ping', () => {
  const body = '{"version":1,"application_id":"1","type":1,"event":{"type":"ENTITLEMENT_CREATE"}}';
  expect(explainEvent(capturedEvent([], body))).not.toContain('ping');
});
