import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FetchedKey } from '../../src/providers/fetched-keys/fetched-key.ts';
import { prove } from '../../src/providers/prove.ts';
import { providerOf } from '../../src/providers/providers.ts';
import type { SignedRequest } from '../../src/providers/signing/signed-request.ts';
import { certificateOf } from '../fixtures/certificate.ts';

/* What forgers try at providers whose keys come over the network. */

const AT = Date.parse('2026-03-14T09:26:53Z');
const { privateKey: KEY } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: SHORT } = generateKeyPairSync('rsa', { modulusLength: 1024 });

function pem(commonName: string, key: KeyObject = KEY, more = {}): string {
  const dates = { validFrom: AT - 1000, validTo: AT + 1000 };
  return certificateOf({ commonName, key, ...dates, ...more });
}

function proven(
  provider: string,
  secret: string,
  request: Partial<SignedRequest>,
): [state: string, reason: string | null] {
  const source = { provider, enforce: false, url: null, in: null, scheme: null };
  const { state, reason } = prove(source, [secret], { ...BARE, ...request });
  return [state, reason];
}

const BARE: SignedRequest = {
  ...{ method: 'POST', urls: [], query: '', rawHeaders: [], body: Buffer.alloc(0) },
  receivedAt: AT,
};

const needed = (provider: string, request: Partial<SignedRequest>, secrets: string[]) =>
  providerOf(provider)?.proof?.keyNeeded?.({ ...BARE, ...request }, secrets) ?? null;

describe('SNS', () => {
  const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:orders';
  const URL_OF_SNS =
    'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem';
  const NAMES = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
  const OTHER = 'arn:aws:sns:eu-west-1:666666666666:mallory';

  /** What SNS signs for everybody who has a topic. */
  function signature(members: Record<string, string>): string {
    const text = NAMES.map((name) =>
      members[name] === undefined ? '' : `${name}\n${members[name]}\n`,
    );
    return sign('sha256', Buffer.from(text.join('')), KEY).toString('base64');
  }

  const MEMBERS = {
    Type: 'Notification',
    MessageId: 'da41e39f-ea4d-435a-b922-c6aae3915ebe',
    TopicArn: TOPIC,
    Timestamp: '2026-03-14T09:26:52.000Z',
    Message: 'hello',
  };
  const KEY_OF_SNS: FetchedKey = { url: URL_OF_SNS, text: pem('sns.amazonaws.com') };

  const text = (members: Record<string, unknown>, more = {}) =>
    JSON.stringify({ ...members, SignatureVersion: '2', SigningCertURL: URL_OF_SNS, ...more });
  const bodyOf = (members: Record<string, string>, more = {}) =>
    Buffer.from(text({ Signature: signature(members), ...members }, more));
  const check = (body: Buffer | string, key: FetchedKey = KEY_OF_SNS) =>
    proven('aws-sns', TOPIC, { body: Buffer.from(body as string), key });

  test('needs the certificate that the message names', () => {
    expect(needed('aws-sns', { body: bodyOf(MEMBERS) }, [OTHER, TOPIC])).toEqual({
      kind: 'certificate',
      url: URL_OF_SNS,
    });
    expect(check(bodyOf(MEMBERS))).toEqual(['verified', null]);
  });

  test('fetches nothing for another topic, and refuses its messages', () => {
    const body = bodyOf({ ...MEMBERS, TopicArn: OTHER });
    expect(needed('aws-sns', { body }, [TOPIC])).toBeNull();
    expect(check(body)).toEqual(['failed', 'signature_mismatch']);
  });

  test('refuses a message to another topic that is read as one to this topic', () => {
    // Signed lines are the same, split at other places.
    const { MessageId, Timestamp } = MEMBERS;
    const inner = { Message: 'forged', MessageId: 'm', Timestamp: 't', TopicArn: TOPIC };
    const lines = Object.entries(inner).flat().slice(1).join('\n');
    const real = { ...MEMBERS, TopicArn: OTHER, Message: `${lines}\nType\nNotification` };
    const rest = ['MessageId', MessageId, 'Timestamp', Timestamp, 'TopicArn', OTHER, 'Type'];
    const forged = { ...inner, Type: ['Notification', ...rest, 'Notification'].join('\n') };
    expect(signature(forged)).toBe(signature(real));
    const body = text({ ...forged, Signature: signature(real) });
    expect(needed('aws-sns', { body: Buffer.from(body) }, [TOPIC])).toBeNull();
    expect(check(body)).toEqual(['failed', 'signature_malformed']);
  });

  test('refuses a message of this topic that is read with another id', () => {
    const { MessageId } = MEMBERS;
    const real = { ...MEMBERS, Message: 'a\nMessageId\nb' };
    const forged = { ...MEMBERS, Message: 'a', MessageId: `b\nMessageId\n${MessageId}` };
    expect(signature(forged)).toBe(signature(real));
    expect(check(bodyOf(real))).toEqual(['verified', null]);
    expect(check(bodyOf(forged))).toEqual(['failed', 'signature_malformed']);
  });

  test('refuses a repeated member, which two readers read differently', () => {
    const whole = String(bodyOf(MEMBERS));
    for (const twice of ['"Message":"forged",', '"\\u004dessage":"forged",']) {
      expect(check(whole.replace('{', `{${twice}`))).toEqual(['failed', 'signature_malformed']);
    }
    const attributes = { MessageAttributes: { Message: { Type: 'String', Value: '{":"' } } };
    expect(check(bodyOf(MEMBERS, attributes))).toEqual(['verified', null]);
  });

  test.each([
    ['http', URL_OF_SNS.replace('https', 'http')],
    ['a port', URL_OF_SNS.replace('.com/', '.com:8443/')],
    ['the port of https', URL_OF_SNS.replace('.com/', '.com:443/')],
    ['a user', URL_OF_SNS.replace('//', '//user@')],
    ['a query', `${URL_OF_SNS}?a=.pem`],
    ['an empty query', `${URL_OF_SNS}?`],
    ['a fragment', `${URL_OF_SNS}#.pem`],
    ['another region', URL_OF_SNS.replace('eu-west-1', 'us-east-1')],
    ['a bucket', URL_OF_SNS.replace('sns.eu-west-1', 'sns.s3')],
    ['a longer name', URL_OF_SNS.replace('.com/', '.com.example/')],
    ['a name in front', URL_OF_SNS.replace('//', '//example.com/')],
    ['another path', URL_OF_SNS.replace('SimpleNotificationService-', 'x/')],
    ['a path with dots', URL_OF_SNS.replace('.com/', '.com/x/../')],
    ['upper case', URL_OF_SNS.replace('sns', 'SNS')],
    ['a blank', ` ${URL_OF_SNS}`],
    ['no URL', 'SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem'],
    ['a number', 1],
  ])('fetches no certificate from a URL with %s', (_, url) => {
    const body = bodyOf(MEMBERS, { SigningCertURL: url });
    expect(needed('aws-sns', { body }, [TOPIC])).toBeNull();
    const key = { url: String(url), text: KEY_OF_SNS.text };
    expect(check(body, key)).toEqual(['failed', 'signature_malformed']);
  });

  test.each([
    ['China', 'arn:aws-cn:sns:cn-north-1:123456789012:t', 'sns.cn-north-1.amazonaws.com.cn'],
    [
      'GovCloud',
      'arn:aws-us-gov:sns:us-gov-west-1:123456789012:t',
      'sns.us-gov-west-1.amazonaws.com',
    ],
    ['a FIFO topic', 'arn:aws:sns:us-east-2:123456789012:t.fifo', 'sns.us-east-2.amazonaws.com'],
  ])('knows the host of %s', (_, topic, host) => {
    const url = URL_OF_SNS.replace('sns.eu-west-1.amazonaws.com', host);
    const body = bodyOf({ ...MEMBERS, TopicArn: topic }, { SigningCertURL: url });
    expect(needed('aws-sns', { body }, [topic])?.url).toBe(url);
  });

  test('raw delivery has no signature', () => {
    expect(check('{"id":1}')).toEqual(['failed', 'signature_missing']);
    expect(check('hello')).toEqual(['failed', 'signature_missing']);
  });

  test('takes no unknown version or type, and only texts', () => {
    for (const more of [{ SignatureVersion: '3' }, { SignatureVersion: 2 }, { Type: 'Other' }]) {
      expect(check(bodyOf(MEMBERS, more))).toEqual(['failed', 'signature_malformed']);
    }
    for (const value of [1, null, ['hello'], { toString: 'x' }]) {
      const body = bodyOf(MEMBERS, { Message: value });
      expect(check(body)).toEqual(['failed', 'signature_malformed']);
    }
  });

  test('takes no certificate whose key is short', () => {
    const certificate = { url: URL_OF_SNS, text: pem('sns.amazonaws.com', SHORT) };
    expect(check(bodyOf(MEMBERS), certificate)).toEqual(['failed', 'key_unavailable']);
  });

  test('takes a certificate only on its days', () => {
    const body = bodyOf(MEMBERS);
    const at = (receivedAt: number) =>
      proven('aws-sns', TOPIC, { body, key: KEY_OF_SNS, receivedAt })[0];
    expect([at(AT - 1000), at(AT + 1000)]).toEqual(['verified', 'verified']);
    expect([at(AT - 1001), at(AT + 1001)]).toEqual(['failed', 'failed']);
  });

  test('a secret is a TopicArn', () => {
    const problem = (secret: string) => providerOf('aws-sns')?.proof?.problem(secret);
    expect(problem(TOPIC)).toBeNull();
    for (const wrong of ['orders', `${TOPIC}:1f2a`, TOPIC.replace('sns', 'sqs'), `${TOPIC}\n`]) {
      expect(problem(wrong)).toMatch(/^must be a TopicArn/);
    }
  });
});

describe('PayPal', () => {
  const WEBHOOK = '4JH86294D6297924G';
  const URL_OF_PAYPAL =
    'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77';
  const BODY = Buffer.from('{"id":"WH-1"}');
  const NAME = 'messageverificationcerts.paypal.com';

  function request(more: Record<string, string> = {}, key = KEY): Partial<SignedRequest> {
    const sent = {
      'paypal-transmission-id': 'dfb3be50-fd74-11e4-8bf3-77339302725b',
      'paypal-transmission-time': '2026-03-14T09:26:52Z',
      'paypal-cert-url': URL_OF_PAYPAL,
      'paypal-auth-algo': 'SHA256withRSA',
      ...more,
    };
    const { 'paypal-transmission-id': id, 'paypal-transmission-time': time } = sent;
    const signed = Buffer.from(`${id}|${time}|${WEBHOOK}|${crc32(BODY)}`);
    const signature = sign('sha256', signed, key).toString('base64');
    const headers = Object.entries({ 'paypal-transmission-sig': signature, ...sent });
    return { body: BODY, rawHeaders: headers.flat() };
  }
  const check = (sent: Partial<SignedRequest>, text = pem(NAME), url = URL_OF_PAYPAL) =>
    proven('paypal', WEBHOOK, { ...sent, key: { url, text } });

  test('authenticates: a checksum does not cover the body', () => {
    expect(needed('paypal', request(), [WEBHOOK])).toEqual({
      kind: 'certificate',
      url: URL_OF_PAYPAL,
    });
    expect(check(request())).toEqual(['authenticated', null]);
    // Another body with the same checksum.
    const collided = collision(BODY, '{"id":"forged"}');
    expect(crc32(collided)).toBe(crc32(BODY));
    expect(check({ ...request(), body: collided })).toEqual(['authenticated', null]);
  });

  test.each(['api', 'api-m', 'api.sandbox', 'api-m.sandbox'])('knows %s.paypal.com', (host) => {
    const url = URL_OF_PAYPAL.replace('//api.', `//${host}.`);
    expect(needed('paypal', request({ 'paypal-cert-url': url }), [])?.url).toBe(url);
  });

  test.each([
    URL_OF_PAYPAL.replace('https', 'http'),
    URL_OF_PAYPAL.replace('paypal.com', 'paypal.com.example'),
    URL_OF_PAYPAL.replace('paypal.com', 'paypal.com:8443'),
    URL_OF_PAYPAL.replace('api.', 'user@api.'),
    URL_OF_PAYPAL.replace('api.', 'www.'),
    `${URL_OF_PAYPAL}?x`,
    `${URL_OF_PAYPAL}/../../x`,
    'https://api.paypal.com/v1/notifications/certs/',
    'https://api.paypal.com/v1/oauth2/token',
  ])('fetches nothing from %s', (url) => {
    const sent = request({ 'paypal-cert-url': url });
    expect(needed('paypal', sent, [WEBHOOK])).toBeNull();
    expect(check(sent, pem(NAME), url)).toEqual(['failed', 'signature_malformed']);
  });

  test('takes only certificates of paypal.com', () => {
    expect(check(request(), pem('api.example.com', KEY, { dnsNames: [NAME] }))[1]).toBeNull();
    for (const name of ['api.example.com', 'paypal.com.example.com', 'notpaypal.com']) {
      expect(check(request(), pem(name))).toEqual(['failed', 'key_unavailable']);
    }
  });

  test('takes no bars in what it signs, no other algorithm, and no repeated header', () => {
    const malformed = ['failed', 'signature_malformed'];
    expect(check(request({ 'paypal-transmission-id': 'a|b' }))).toEqual(malformed);
    expect(check(request({ 'paypal-transmission-time': 'a|b' }))).toEqual(malformed);
    expect(check(request({ 'paypal-auth-algo': 'SHA1withRSA' }))).toEqual(malformed);
    const { rawHeaders = [] } = request();
    const twice = { body: BODY, rawHeaders: [...rawHeaders, 'PayPal-Cert-Url', URL_OF_PAYPAL] };
    expect(check(twice)).toEqual(malformed);
    expect(needed('paypal', twice, [WEBHOOK])).toBeNull();
  });
});

/** A body that begins with a text and has the checksum of another one. */
function collision(body: Buffer, text: string): Buffer {
  const wanted = crc32(body);
  // A CRC is linear: four bytes at the end reach any value, found bit by bit.
  const base = Buffer.concat([Buffer.from(text), Buffer.alloc(4)]);
  const zero = crc32(base);
  const rows = Array.from({ length: 32 }, (_, bit) => {
    const one = Buffer.from(base);
    const at = base.length - 4 + (bit >> 3);
    one[at] = (one[at] as number) ^ (1 << (bit & 7));
    return { value: (crc32(one) ^ zero) >>> 0, bits: (1 << bit) >>> 0 };
  });
  let rest = (wanted ^ zero) >>> 0;
  let bits = 0;
  for (let column = 31; column >= 0; column--) {
    const mask = (1 << column) >>> 0;
    const at = rows.findIndex(({ value }) => (value & mask) !== 0);
    if (at < 0) continue;
    const [pivot] = rows.splice(at, 1) as [(typeof rows)[number]];
    for (const row of rows) {
      if ((row.value & mask) === 0) continue;
      row.value = (row.value ^ pivot.value) >>> 0;
      row.bits = (row.bits ^ pivot.bits) >>> 0;
    }
    if ((rest & mask) === 0) continue;
    rest = (rest ^ pivot.value) >>> 0;
    bits = (bits ^ pivot.bits) >>> 0;
  }
  const made = Buffer.from(base);
  made.writeUInt32LE(bits, base.length - 4);
  return made;
}
