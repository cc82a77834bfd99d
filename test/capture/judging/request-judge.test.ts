import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EndpointJudge } from '../../../src/capture/judging/endpoint-judge.ts';
import { judgeThread, type VerifiedJob } from '../../../src/capture/judging/judge-thread.ts';
import type { KeyUser } from '../../../src/capture/judging/key-ring.ts';
import {
  RequestJudge,
  type RequestJudgeOptions,
} from '../../../src/capture/judging/request-judge.ts';
import { HookrelayError } from '../../../src/core/errors.ts';
import { BorrowedBody } from '../../../src/core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import type { CustomScheme, SourceSettings } from '../../../src/core/proof/source.ts';
import type { JudgingSettings, Verdict } from '../../../src/core/rules/verdict.ts';
import { Keys } from '../../../src/core/secrets/keys.ts';
import { CpuUse } from '../../../src/core/turns/cpu-use.ts';
import type { FetchedKey, KeyRequest } from '../../../src/providers/fetched-keys/fetched-key.ts';
import { silentLog } from '../../fixtures/silent-log.ts';
import { snsMessage } from '../../providers/vectors/a-c/aws-sns.ts';

type Thread = ReturnType<RequestJudgeOptions['thread']>;

const COSTLY = '{"body":{"$not":{"$regex":"(a{30}){30}$"}}}';
const KEYS = new Keys(randomBytes(32));
const SECRET = 'a secret of the sender';
const NOW = 1_800_000_000_000;

const SETTINGS: JudgingSettings = {
  userId: 'usr_1',
  version: 7,
  endpointId: 'ep_1',
  source: null,
  dedupe: null,
  filters: [],
};

/** A judge that knows an endpoint's settings. */
function judgeOf(settings: Partial<JudgingSettings>, options: Partial<RequestJudgeOptions> = {}) {
  let now = 0;
  const cpu = new CpuUse(() => performance.now());
  const judge = new RequestJudge({
    keys: KEYS,
    urls: { baseUrl: () => 'https://hooks.example', ownsHost: () => false },
    keyRing: { known: () => null, fetch: async () => null },
    thread: () => judgeThread(cpu),
    cpu,
    log: silentLog,
    monotonic: () => now,
    ...options,
  });
  onTestFinished(() => judge.close());
  judge.learn('token', { ...SETTINGS, ...settings });
  return {
    judge,
    verdict: (request: Partial<CapturedRequest>) => judge.verdict({ ...requestOf(''), ...request }),
    later(ms: number) {
      now += ms;
    },
  };
}

function judgeBy(filter: string): (body: string) => Verdict | Promise<Verdict> | undefined {
  const { judge } = judgeOf({
    filters: [{ destinationKey: 1, ruleVersion: 2, filter, orderBy: null }],
  });
  return (body) => judge.verdict(requestOf(body));
}

function requestOf(body: string): CapturedRequest {
  return {
    id: 'evt_1',
    publicToken: 'token',
    method: 'POST',
    path: '',
    query: '',
    rawHeaders: [],
    contentType: null,
    body: new BorrowedBody(Buffer.from(body)),
    sourceIp: '::1',
    receivedAt: NOW,
    provider: null,
    eventType: null,
  };
}

function sourceOf(source: Partial<SourceSettings>, secrets = [SECRET], owner = 'ep_1') {
  const sealedSecrets = KEYS.seal(JSON.stringify(secrets), owner);
  const none = { enforce: false, url: null, in: null, scheme: null };
  return { provider: 'github', ...none, ...source, sealedSecrets };
}

/** A request as GitHub signs it. */
function signed(body: string, secret = SECRET): CapturedRequest {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { ...requestOf(body), rawHeaders: ['X-Hub-Signature-256', `sha256=${signature}`] };
}

const PLAIN = {
  version: 7,
  orderKeys: [],
  verification: null,
  unjudged: null,
  once: null,
  refused: null,
  handshake: null,
};
const PASSED = { ...PLAIN, dropped: [] };
const DROPPED = { ...PLAIN, dropped: [{ destinationKey: 1, ruleVersion: 2 }] };
const VERIFIED = { state: 'verified', provider: 'github', secret: 1, reason: null };
const FAILED = { ...VERIFIED, state: 'failed', secret: null, reason: 'signature_mismatch' };
const UNVERIFIED = { ...VERIFIED, state: 'unverified', secret: null };
const UNJUDGED = { ...PASSED, unjudged: 'too_slow' };
/** Nine million steps. */
const TOO_COSTLY = {
  filter: JSON.stringify({ body: { list: Array(450).fill({ $gt: 1 }) } }),
  body: JSON.stringify({ id: 7, customer: { id: 'c1' }, list: [...Array(20_000).fill(1), 2] }),
};
const LARGE = `{"b":"${'b'.repeat(70_000)}"}`;

describe('filters', () => {
  test('judges small bodies at once', () => {
    const verdict = judgeBy('body.a=1');
    expect(verdict('{"a":1}')).toEqual(PASSED);
    expect(verdict(`{"b":"${'b'.repeat(60_000)}"}`)).toEqual(DROPPED);
  });

  test.each([
    ['large bodies', 'body.a=1', LARGE],
    ['costly filters', COSTLY, 'a'.repeat(8000)],
  ])('judges %s in a thread', async (_, filter, body) => {
    const verdict = judgeBy(filter)(body);
    expect(verdict).toBeInstanceOf(Promise);
    expect(await verdict).toEqual(DROPPED);
  });

  test('judges a short text by a costly filter at once', () => {
    // Too short for the expression, which the filter negates.
    expect(judgeBy(COSTLY)('a'.repeat(80))).toEqual(PASSED);
  });

  test('a request that takes too many steps passes the filter that takes them, verified', async () => {
    const { filter, body } = TOO_COSTLY;
    expect(await judgeBy(filter)(body)).toEqual(UNJUDGED);
    const { judge } = judgeOf({
      source: sourceOf({}),
      filters: [{ destinationKey: 1, ruleVersion: 2, filter, orderBy: null }],
    });
    expect(await judge.verdict(signed(body))).toEqual({ ...UNJUDGED, verification: VERIFIED });
  });
});

describe('a request that is too costly to judge', () => {
  const orders = [
    { destinationKey: 1, ruleVersion: 2, filter: TOO_COSTLY.filter, orderBy: 'body.id' },
    { destinationKey: 3, ruleVersion: 1, filter: 'header.x-kind=a', orderBy: null },
    { destinationKey: 4, ruleVersion: 1, filter: 'body.list[0]=2', orderBy: '*' },
    { destinationKey: 5, ruleVersion: 1, filter: null, orderBy: 'body.customer.id' },
  ];
  const settings = { dedupe: { by: ['body.id'], since: 's' }, filters: orders };
  const cheap = { dedupe: settings.dedupe, filters: orders.slice(1) };
  const keysOf = (verdict: Verdict | undefined) => [verdict?.once, verdict?.orderKeys];

  test('claims the key and is in the orders of one that is judged, and is dropped by the filters that can judge it', async () => {
    const verdict = await judgeOf(settings).judge.verdict(requestOf(TOO_COSTLY.body));
    const dropped = [3, 4].map((destinationKey) => ({ destinationKey, ruleVersion: 1 }));
    expect(verdict).toMatchObject({ dropped, unjudged: 'too_slow' });
    expect(verdict?.orderKeys).toEqual([
      { destinationKey: 1, key: '7' },
      { destinationKey: 4, key: '*' },
      { destinationKey: 5, key: '"c1"' },
    ]);
    const judged = await judgeOf(cheap).judge.verdict(requestOf(TOO_COSTLY.body));
    expect(judged?.unjudged).toBeNull();
    expect(verdict?.once).toEqual(judged?.once);
    expect(verdict?.once?.key).toBeDefined();
  });

  /** A thread that dies of the body's memory: as soon as it has read the keys, or before. */
  const dyingThread = (dies: 'after its keys' | 'before') => (): Thread => {
    const real = judgeThread(new CpuUse(() => performance.now()));
    onTestFinished(() => real.close());
    const cause = Object.assign(new Error(), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    return {
      close: async () => {},
      async run(job, terms) {
        const onReport = (report: VerifiedJob) => {
          if (!report.keys || dies === 'after its keys') terms?.onReport?.(report);
        };
        await real.run(job, { ...terms, onReport });
        throw new Error('the thread failed', { cause });
      },
    };
  };
  const large = TOO_COSTLY.body.replace('{', `{"text":"${'x'.repeat(300_000)}",`);

  test('keeps the keys that the thread read before it died', async () => {
    const thread = dyingThread('after its keys');
    const verdict = await judgeOf(settings, { thread }).judge.verdict(requestOf(large));
    const dropped = [{ destinationKey: 3, ruleVersion: 1 }];
    expect(verdict).toMatchObject({ dropped, unjudged: 'too_large' });
    const judged = await judgeOf(cheap).judge.verdict(requestOf(large));
    expect(keysOf(verdict)[0]).toEqual(keysOf(judged)[0]);
    expect(verdict?.orderKeys.slice(1)).toEqual(judged?.orderKeys);
    expect(verdict?.orderKeys[0]).toEqual({ destinationKey: 1, key: '7' });
  });

  test('comes again where the thread dies before it has read keys in the body', async () => {
    const thread = dyingThread('before');
    const { judge } = judgeOf(settings, { thread });
    await expect(judge.verdict(requestOf(large))).rejects.toMatchObject({ code: 'overloaded' });
    // Keys elsewhere, and those of a small body, are read without the thread.
    const dedupe = { by: ['header.x-id'], since: 's' };
    const [first] = orders as [(typeof orders)[0]];
    for (const [orderBy, body] of [
      ['*', large],
      ['body.id', TOO_COSTLY.body],
    ] as const) {
      const known = judgeOf({ dedupe, filters: [{ ...first, orderBy }] }, { thread });
      const verdict = await known.verdict({ ...requestOf(body), rawHeaders: ['X-Id', '1'] });
      expect(verdict).toMatchObject({ unjudged: 'too_large', dropped: [] });
      expect(verdict?.once?.key).toBeDefined();
      expect(verdict?.orderKeys).toHaveLength(1);
    }
  });

  test('makes a key of its whole body where not even the values can be read', async () => {
    const form = { contentType: 'application/x-www-form-urlencoded' };
    const fields = new BorrowedBody(Buffer.from(`id=7${'&a=1'.repeat(2_000_000)}`));
    const { judge } = judgeOf({ ...settings, filters: orders.slice(3) });
    const verdict = () => judge.verdict({ ...requestOf(''), ...form, body: fields });
    const first = await verdict();
    expect(first).toMatchObject({
      unjudged: 'too_large',
      dropped: [],
      orderKeys: [{ destinationKey: 5, key: '*' }],
    });
    expect(first?.once?.key).toBeDefined();
    expect((await verdict())?.once).toEqual(first?.once);
  });
});

describe('a source', () => {
  test('is nothing to an endpoint without one', () => {
    const { judge } = judgeOf({});
    expect(judge.verdict(signed('{}'))).toBeUndefined();
  });

  test.each(['{}', LARGE])('verifies small and large bodies', async (body) => {
    const { judge } = judgeOf({ source: sourceOf({}) });
    const [right, wrong] = [signed(body), signed(body, 'another')];
    expect(await judge.verdict(right)).toEqual({ ...PASSED, verification: VERIFIED });
    expect(await judge.verdict(wrong)).toEqual({ ...PASSED, verification: FAILED });
    const bare = { ...FAILED, reason: 'signature_missing' };
    expect(await judge.verdict(requestOf(body))).toEqual({ ...PASSED, verification: bare });
  });

  test('tries every secret', () => {
    const { judge } = judgeOf({ source: sourceOf({}, ['other', 'another', SECRET]) });
    expect(judge.verdict(signed('{}'))).toMatchObject({
      verification: { state: 'verified', secret: 3 },
    });
  });

  test('fails where its secrets belong to another endpoint', () => {
    const { judge } = judgeOf({ source: sourceOf({}, [SECRET], 'ep_2') });
    expect(judge.verdict(signed('{}'))).toMatchObject({
      verification: { state: 'failed', reason: 'secret_unreadable' },
    });
  });

  test('is forgotten with the settings that had it', () => {
    const { judge } = judgeOf({ source: sourceOf({}) });
    judge.learn('token', { ...SETTINGS, version: 8 });
    expect(judge.verdict(signed('{}'))).toBeUndefined();
  });

  test('is opened once for all requests of a batch', () => {
    let opened = 0;
    const open: Keys['open'] = (sealed, owner) => {
      opened++;
      return KEYS.open(sealed, owner);
    };
    const source = sourceOf({});
    const { judge } = judgeOf({ source }, { keys: { open } });
    judge.learn('token', { ...SETTINGS, source });
    expect(opened).toBe(1);
    judge.learn('token', { ...SETTINGS, source, version: 8 });
    expect(opened).toBe(2);
    expect(judge.verdict(signed('{}'))).toMatchObject({ version: 8, verification: VERIFIED });
  });

  test('counts windows from when the request was sent', () => {
    const { verdict } = judgeOf({ source: sourceOf({ provider: 'slack' }) });
    const at = NOW / 1000;
    const signature = createHmac('sha256', SECRET).update(`v0:${at}:`).digest('hex');
    const rawHeaders = ['X-Slack-Signature', `v0=${signature}`];
    rawHeaders.push('X-Slack-Request-Timestamp', `${at}`);
    const later = NOW + 3_600_000;
    expect(verdict({ rawHeaders })).toMatchObject({ verification: { state: 'verified' } });
    expect(verdict({ rawHeaders, receivedAt: later })).toMatchObject({
      verification: { state: 'failed', reason: 'timestamp_too_old' },
    });
    expect(verdict({ rawHeaders, receivedAt: later, sentAt: NOW })).toMatchObject({
      verification: { state: 'verified' },
    });
  });

  test('covers the URL of the request or the one that is registered', async () => {
    const scheme = {
      signature: 'header.x-signature',
      form: '{hex}',
      algorithm: 'hmac-sha256',
      signed: '{url}{body}',
      timestamp: null,
      toleranceMs: 0,
    } as const;
    const by = (url: string) => ({
      ...requestOf('x'),
      path: '/a',
      query: 'b=c',
      rawHeaders: ['X-Signature', createHmac('sha256', SECRET).update(`${url}x`).digest('hex')],
    });
    const shown = judgeOf({ source: sourceOf({ provider: 'custom', scheme }) }).judge;
    const verified = { verification: { state: 'verified' } };
    expect(shown.verdict(by('https://hooks.example/in/token/a?b=c'))).toMatchObject(verified);
    expect(await shown.verdict(by('https://other.example/in/token/a?b=c'))).toMatchObject({
      verification: { state: 'failed', reason: 'signature_mismatch' },
    });
    const url = 'https://proxy.example/hook';
    const registered = judgeOf({ source: sourceOf({ provider: 'custom', scheme, url }) }).judge;
    expect(registered.verdict(by(`${url}/a?b=c`))).toMatchObject(verified);
    expect(await registered.verdict(by(url))).toMatchObject({
      verification: { state: 'failed', reason: 'url_mismatch' },
    });
  });
});

describe('refusal', () => {
  const enforced = { source: sourceOf({ enforce: true }) };

  test('is for requests that fail', async () => {
    const { judge } = judgeOf(enforced);
    expect(judge.verdict(signed('{}'))).toEqual({ ...PASSED, verification: VERIFIED });
    expect(await judge.verdict(signed('{}', 'x'))).toEqual({
      ...PASSED,
      verification: FAILED,
      refused: { keep: true },
    });
  });

  test('spares edited copies and what the account sends itself', () => {
    const { verdict } = judgeOf(enforced);
    const edited = { ...UNVERIFIED, reason: 'edited' };
    expect(verdict({ editedFrom: 'evt_0' })).toEqual({ ...PASSED, verification: edited });
    expect(verdict({ isComposed: true })).toEqual({ ...PASSED, verification: UNVERIFIED });
  });

  test('judges no rules for what it refuses', async () => {
    const filters = [{ destinationKey: 1, ruleVersion: 2, filter: 'body.a=1', orderBy: '*' }];
    const { judge } = judgeOf({ ...enforced, filters });
    for (const body of ['{}', LARGE]) {
      const verdict = await judge.verdict(signed(body, 'x'));
      expect(verdict).toMatchObject({ dropped: [], orderKeys: [], refused: { keep: true } });
    }
  });

  test('keeps 20 requests of an endpoint in any second', async () => {
    const { judge, later } = judgeOf(enforced);
    judge.learn('another', { ...SETTINGS, ...enforced });
    const kept = async (publicToken: string, times: number) => {
      const verdicts = Array.from({ length: times }, () =>
        judge.verdict({ ...signed('{}', 'x'), publicToken }),
      );
      return (await Promise.all(verdicts)).filter((verdict) => verdict?.refused?.keep).length;
    };
    expect(await kept('token', 15)).toBe(15);
    later(600);
    expect(await kept('token', 10)).toBe(5);
    expect(await kept('another', 30)).toBe(20);
    later(400);
    expect(await kept('token', 30)).toBe(15);
  });

  test('is for every accepted request that fails, which is on record already', async () => {
    const { verdict } = judgeOf({ source: sourceOf({ enforce: false }) });
    const forged = signed('{}', 'x');
    expect(await verdict(forged)).toMatchObject({ refused: null });
    expect(await verdict({ ...forged, accepts: 'rej_1' })).toMatchObject({
      refused: { keep: false },
    });
    expect(verdict({ ...signed('{}'), accepts: 'rej_1' })).toMatchObject({ refused: null });
  });
});

describe('the thread', () => {
  const filters = [{ destinationKey: 1, ruleVersion: 2, filter: 'body.a=1', orderBy: null }];
  const close = async () => {};

  test('that fails after it has verified the sender isn’t asked again', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    let jobs = 0;
    // Verifies, and dies of the body.
    const dying: Thread = {
      close,
      async run({ opened, request }, terms) {
        jobs++;
        terms?.onReport?.({ verification: new EndpointJudge(opened).verify(request) });
        throw new Error('out of memory');
      },
    };
    // A judge warns at most every 10 s.
    const enforced = () => {
      const options = { thread: () => dying, log };
      return judgeOf({ source: sourceOf({ enforce: true }), filters }, options).judge;
    };
    expect(await enforced().verdict(signed(LARGE))).toEqual({
      ...UNJUDGED,
      verification: VERIFIED,
    });
    expect(await enforced().verdict(signed(LARGE, 'x'))).toMatchObject({ refused: { keep: true } });
    expect(jobs).toBe(2);
    expect(warnings).toEqual([
      'a request could not be judged; it passes the filters that could not be judged',
      'a request could not be judged; its sender is not verified, so it is refused',
    ]);
  });

  test('reports the verdict on the sender before it judges', async () => {
    const reports: unknown[] = [];
    const thread = judgeThread(new CpuUse(() => performance.now()));
    onTestFinished(() => thread.close());
    const spied: Thread = {
      close,
      run: (job, terms) =>
        thread.run(job, {
          ...terms,
          onReport(report) {
            reports.push(report);
            terms?.onReport?.(report);
          },
        }),
    };
    const { judge } = judgeOf({ source: sourceOf({}), filters }, { thread: () => spied });
    expect(await judge.verdict(signed(LARGE))).toMatchObject({ dropped: DROPPED.dropped });
    const keys = { once: null, orderKeys: [], unjudged: null };
    expect(reports).toEqual([{ verification: VERIFIED }, { verification: VERIFIED, keys }]);
  });

  describe('verifies signatures that take long', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const keys = [generateKeyPairSync('ed25519').publicKey, publicKey].map((one) => {
      const { x } = one.export({ format: 'jwk' });
      return Buffer.from(x as string, 'base64url').toString('hex');
    });
    const scheme: CustomScheme = {
      signature: 'header.x-signature',
      ...{ form: '{hex}', algorithm: 'ed25519' as const, signed: '{body}', timestamp: null },
      toleranceMs: 0,
    };
    const source = sourceOf({ provider: 'custom', scheme, enforce: true }, keys);
    const other = 'another text';
    /** Three signatures and two keys: more than a request may have verified on the receiving thread. */
    const third = (body: string, last = body): CapturedRequest => {
      const texts = [other, other, last];
      const signatures = texts.map((text) => sign(null, Buffer.from(text), privateKey));
      const sent = signatures.map((one) => one.toString('hex')).join(',');
      return { ...requestOf(body), rawHeaders: ['X-Signature', sent] };
    };

    test('and the receiving thread judges the rules', async () => {
      const { judge } = judgeOf({ source, filters });
      const judged = judge.verdict(third('{"a":2}'));
      expect(judged).toBeInstanceOf(Promise);
      expect(await judged).toMatchObject({
        verification: { state: 'verified', secret: 2 },
        dropped: DROPPED.dropped,
        refused: null,
      });
      expect(await judge.verdict(third('{"a":1}', other))).toMatchObject({
        verification: { state: 'failed', reason: 'signature_mismatch' },
        refused: { keep: true },
      });
    });

    test('and where it can’t, the sender sends the request again', async () => {
      const thread = () => failing;
      const { judge } = judgeOf({ source }, { thread });
      await expect(judge.verdict(third('{}'))).rejects.toMatchObject({ code: 'overloaded' });
    });
  });

  const failing = {
    close,
    run: async () => {
      throw new Error('no thread');
    },
  };

  test('that fails leaves no request unverified: the sender sends it again', async () => {
    const { judge } = judgeOf({ source: sourceOf({}) }, { thread: () => failing });
    const verdict = judge.verdict(signed(LARGE));
    await expect(verdict).rejects.toBeInstanceOf(HookrelayError);
    await expect(verdict).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 });
  });

  test('that fails takes nothing from those that need no verifying there', async () => {
    const { verdict } = judgeOf({ source: sourceOf({}), filters }, { thread: () => failing });
    const large = new BorrowedBody(Buffer.from(LARGE));
    expect(await verdict({ body: large, isComposed: true })).toEqual({
      ...UNJUDGED,
      verification: UNVERIFIED,
    });
    const costly = [{ ...filters[0], filter: COSTLY } as (typeof filters)[0]];
    const small = judgeOf({ source: sourceOf({}), filters: costly }, { thread: () => failing });
    expect(await small.judge.verdict(signed('a'.repeat(8000)))).toEqual({
      ...UNJUDGED,
      verification: VERIFIED,
    });
    const unproved = judgeOf({ filters }, { thread: () => failing });
    expect(await unproved.judge.verdict(requestOf(LARGE))).toEqual(UNJUDGED);
  });
});

describe('a filter', () => {
  test('sees the verdict on the sender, here and in the thread', async () => {
    const filters = [
      { destinationKey: 1, ruleVersion: 2, filter: 'verification=verified', orderBy: null },
    ];
    const { judge } = judgeOf({ source: sourceOf({}), filters });
    const large = `{"a":"${'a'.repeat(70_000)}"}`;
    for (const body of ['{}', large]) {
      expect(await judge.verdict(signed(body))).toEqual({ ...PASSED, verification: VERIFIED });
      expect(await judge.verdict(signed(body, 'x'))).toEqual({ ...DROPPED, verification: FAILED });
      const copy = { ...signed(body), editedFrom: 'evt_0' };
      expect(await judge.verdict(copy)).toMatchObject({ dropped: DROPPED.dropped });
    }
    const unproved = judgeBy('verification=unverified');
    expect(await unproved('{}')).toEqual(PASSED);
  });
});

describe('keys', () => {
  const dedupe = { by: ['body.id'], since: 's1' };
  const onceOf = async (judge: RequestJudge, request: CapturedRequest) =>
    ((await judge.verdict(request)) as Verdict).once;

  test('are claimed by any request where there is no source, except for copies', async () => {
    const { judge } = judgeOf({ dedupe });
    const request = requestOf('{"id":1}');
    expect(await onceOf(judge, request)).not.toBeNull();
    expect(await onceOf(judge, { ...request, isComposed: true })).not.toBeNull();
    expect(await onceOf(judge, { ...request, editedFrom: 'evt_0' })).toBeNull();
    const large = requestOf(`{"id":1,"b":"${'b'.repeat(70_000)}"}`);
    expect((await onceOf(judge, large))?.key).toBe((await onceOf(judge, request))?.key);
  });

  test('are claimed only by requests that pass where there is one', async () => {
    const { judge } = judgeOf({ dedupe, source: sourceOf({}) });
    const body = '{"id":1}';
    expect(await onceOf(judge, signed(body))).not.toBeNull();
    expect(await onceOf(judge, signed(body, 'x'))).toBeNull();
    expect(await onceOf(judge, requestOf(body))).toBeNull();
    expect(await onceOf(judge, { ...requestOf(body), isComposed: true })).toBeNull();
    const token = judgeOf({
      dedupe,
      source: sourceOf({ provider: 'token', in: 'query.t' }, ['s']),
    });
    expect(await onceOf(token.judge, { ...requestOf(body), query: 't=s' })).not.toBeNull();
  });
});

describe('a key on the network', () => {
  const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:orders';
  const SNS = { source: sourceOf({ provider: 'aws-sns' }, [TOPIC]) };
  const PASSES = { state: 'verified', provider: 'aws-sns', secret: 1, reason: null };
  const LACKS_KEY = { ...PASSES, state: 'failed', secret: null, reason: 'key_unavailable' };

  function message(more: Record<string, unknown> = {}) {
    const { body, key } = snsMessage('version 2', TOPIC, NOW);
    return { request: requestOf(JSON.stringify({ ...JSON.parse(String(body)), ...more })), key };
  }

  /** Keys that are here, and fetches that the test answers. */
  function ringOf(key: FetchedKey | null) {
    let here: FetchedKey | undefined;
    const asked: string[] = [];
    return {
      asked,
      known: ({ url }: KeyRequest) => (here?.url === url ? here : undefined),
      async fetch({ url }: KeyRequest, { publicToken }: KeyUser) {
        asked.push(`${publicToken} ${url}`);
        here = key ?? undefined;
        return key;
      },
    };
  }

  test('is fetched once for a small body, then it is at hand', async () => {
    const { request, key } = message();
    const keyRing = ringOf(key);
    const { judge } = judgeOf(SNS, { keyRing });
    const first = judge.verdict(request);
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toEqual({ ...PASSED, verification: PASSES });
    expect(judge.verdict(message().request)).toEqual({ ...PASSED, verification: PASSES });
    expect(keyRing.asked).toEqual([`token ${key.url}`]);
  });

  test('is fetched for a large body, which the thread reads', async () => {
    const { request, key } = message({ MessageAttributes: { a: 'b'.repeat(70_000) } });
    const keyRing = ringOf(key);
    const { judge } = judgeOf(SNS, { keyRing });
    for (const _ of [1, 2]) {
      expect(await judge.verdict(request)).toEqual({ ...PASSED, verification: PASSES });
    }
    expect(keyRing.asked).toEqual([`token ${key.url}`]);
  });

  test.each([1, 70_000])('that can’t be had fails a request (%d)', async (size) => {
    const { request } = message({ MessageAttributes: { a: 'b'.repeat(size) } });
    const { judge } = judgeOf(SNS, { keyRing: ringOf(null) });
    expect(await judge.verdict(request)).toEqual({ ...PASSED, verification: LACKS_KEY });
  });

  test('that can’t be had is refused where the source is enforced, and kept', async () => {
    const { request } = message();
    const source = sourceOf({ provider: 'aws-sns', enforce: true }, [TOPIC]);
    const { judge } = judgeOf({ source }, { keyRing: ringOf(null) });
    const refused = { ...PASSED, verification: LACKS_KEY, refused: { keep: true } };
    expect(await judge.verdict(request)).toEqual(refused);
  });

  test('is asked for by no request that fails with any key', () => {
    const { key } = message();
    const keyRing = ringOf(key);
    const { judge } = judgeOf(SNS, { keyRing });
    const other = { SigningCertURL: 'https://sns.eu-west-1.amazonaws.com.example/x.pem' };
    for (const request of [requestOf('{}'), message(other).request]) {
      expect(judge.verdict(request)).not.toBeInstanceOf(Promise);
    }
    // A copy of an event isn't verified.
    expect(judge.verdict({ ...message().request, editedFrom: 'evt_2' })).toMatchObject({
      verification: { reason: 'edited' },
    });
    expect(keyRing.asked).toEqual([]);
  });

  test('leaves no verdict behind when the server shuts down meanwhile', async () => {
    const { request } = message();
    const { judge } = judgeOf(SNS, {
      keyRing: {
        known: () => undefined,
        async fetch() {
          await judge.close();
          return null;
        },
      },
    });
    await expect(judge.verdict(request)).rejects.toMatchObject({ code: 'not_ready' });
  });

  test('confirms a subscription once it is verified', async () => {
    const { body, key } = snsMessage('a subscription', TOPIC, NOW);
    const { judge } = judgeOf(SNS, { keyRing: ringOf(key) });
    const { SubscribeURL: url } = JSON.parse(String(body));
    const handshake = { effect: { kind: 'confirm', url }, isVerified: true };
    expect(await judge.verdict(requestOf(String(body)))).toMatchObject({
      verification: { state: 'unverified', reason: null },
      handshake,
    });
    const forged = String(body).replace('Token=', 'Token=0');
    expect(await judge.verdict(requestOf(forged))).toMatchObject({
      verification: { state: 'failed', reason: 'signature_mismatch' },
      handshake: null,
    });
  });
});
