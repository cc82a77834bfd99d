import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { EndpointJudge } from '../../../src/capture/judging/endpoint-judge.ts';
import type { Verdict } from '../../../src/core/rules/verdict.ts';

/* Keys of Standard Webhooks come from the id that is signed, not from another header. */

const KEY = Buffer.from('hookrelay-test-secret-24');
const AT = 1_795_000_000_000;
const TIME = String(AT / 1000);
const BODY = Buffer.from('{"type":"a"}');

function judged(
  provider: string,
  rawHeaders: string[],
  secrets = [`whsec_${KEY.toString('base64')}`],
): Verdict {
  const settings = {
    ...{ userId: 'usr_1', version: 1, endpointId: 'end_1', filters: [] },
    source: {
      ...{ provider, enforce: true, url: null, in: null, scheme: null },
      sealedSecrets: Buffer.from('sealed'),
    },
    dedupe: { by: 'provider', since: 's' } as const,
  };
  return new EndpointJudge({ settings, secrets }).judge({
    ...{ method: 'POST', path: '', query: '', rawHeaders, contentType: 'application/json' },
    ...{ body: BODY, provider: null, eventType: null, sourceIp: '::1', urls: [], sentAt: AT },
    ...{ origin: 'sender', isAccepted: false, key: null },
  });
}

function signedBy(prefix: string, id = 'msg_1'): string[] {
  const signature = createHmac('sha256', KEY).update(`${id}.${TIME}.`).update(BODY);
  return [
    ...[`${prefix}-id`, id],
    ...[`${prefix}-timestamp`, TIME],
    ...[`${prefix}-signature`, `v1,${signature.digest('base64')}`],
  ];
}

describe.each([
  ['standard-webhooks', 'webhook', 'svix'],
  ['openai', 'webhook', 'svix'],
  ['svix', 'svix', 'webhook'],
  ['clerk', 'svix', 'webhook'],
])('%s', (provider, own, other) => {
  test('a signed request claims one key, also with the headers of the other name', () => {
    const first = judged(provider, signedBy(own));
    expect(first.verification?.state).toBe('verified');
    expect(first.once?.key).toBeDefined();
    for (const added of [[`${other}-id`, 'msg_2'], signedBy(other), signedBy(other, 'msg_2')]) {
      expect(judged(provider, [...added, ...signedBy(own)]).once?.key).toBe(first.once?.key);
    }
  });

  test('the headers of the other name count without an id that they do not sign', () => {
    const sent = signedBy(other);
    expect(judged(provider, sent).verification?.state).toBe('verified');
    const same = judged(provider, [...sent, `${own}-id`, 'msg_1']);
    expect(same.verification?.state).toBe('verified');
    const forged = judged(provider, [...sent, `${own}-id`, 'msg_2']);
    expect(forged).toMatchObject({ verification: { state: 'failed' }, once: null });
    expect(forged.refused).not.toBeNull();
  });

  test('an id that is sent twice is not the signed one', () => {
    for (const headers of [
      [...signedBy(own), `${own}-id`, 'msg_2'],
      [`${own}-ID`, 'msg_1', ...signedBy(own)],
    ]) {
      expect(judged(provider, headers)).toMatchObject({
        verification: { state: 'failed', reason: 'signature_malformed' },
        once: null,
      });
    }
  });
});

describe('gitlab', () => {
  const ids = (id: string) => ['webhook-id', id, 'Idempotency-Key', id];
  const token = (text: string) => ['X-Gitlab-Token', text];

  test('its signing token signs the id that makes the key', () => {
    const first = judged('gitlab', [...signedBy('webhook'), 'Idempotency-Key', 'msg_1']);
    expect(first.verification?.state).toBe('verified');
    expect(first.once?.key).toBeDefined();
    const renamed = judged('gitlab', [...signedBy('webhook'), 'Idempotency-Key', 'msg_2']);
    expect(renamed.once?.key).toBe(first.once?.key);
    const [, , ...others] = signedBy('webhook');
    for (const forged of [[...ids('msg_2'), ...others], others, [...others, ...ids('')]]) {
      expect(judged('gitlab', forged)).toMatchObject({
        ...{ verification: { state: 'failed' }, once: null },
      });
    }
  });

  test('without its secret token, a request claims no key', () => {
    const secrets = ['a token'];
    const sent = judged('gitlab', [...ids('1'), ...token('a token')], secrets);
    expect(sent.verification?.state).toBe('authenticated');
    expect(sent.once?.key).toBeDefined();
    const retried = judged('gitlab', ['Idempotency-Key', '1', ...token('a token')], secrets);
    expect(retried.once?.key).toBeDefined();
    for (const forged of [ids('1'), [...ids('1'), ...token('another')]]) {
      expect(judged('gitlab', forged, secrets).once).toBeNull();
    }
  });
});
