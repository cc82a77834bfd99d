import { expect, onTestFinished, test } from 'vitest';
import { FilterJudge } from '../../src/capture/filter-judge.ts';
import { BorrowedBody } from '../../src/core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../src/core/http/captured-request.ts';
import type { Verdict } from '../../src/core/rules/verdict.ts';
import { silentLog } from '../fixtures/silent-log.ts';

const COSTLY = '{"body":{"$not":{"$regex":"(a{30}){30}$"}}}';

function judgeBy(filter: string): (body: string) => Verdict | Promise<Verdict> | undefined {
  const judge = new FilterJudge(silentLog);
  onTestFinished(() => judge.close());
  judge.learn('token', {
    userId: 'usr_1',
    version: 7,
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
    receivedAt: 0,
    provider: null,
    eventType: null,
  };
}

const PASSED = { version: 7, dropped: [], orderKeys: [] };
const DROPPED = { version: 7, dropped: [{ destinationKey: 1, ruleVersion: 2 }], orderKeys: [] };

test('judges small bodies at once', () => {
  const verdict = judgeBy('body.a=1');
  expect(verdict('{"a":1}')).toEqual(PASSED);
  expect(verdict(`{"b":"${'b'.repeat(60_000)}"}`)).toEqual(DROPPED);
});

test.each([
  ['large bodies', 'body.a=1', `{"b":"${'b'.repeat(70_000)}"}`],
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

test('a request that takes too many steps goes to every destination', async () => {
  const rule = JSON.stringify({ body: { list: Array(450).fill({ $gt: 1 }) } });
  const body = JSON.stringify({ list: [...Array(20_000).fill(1), 2] });
  expect(await judgeBy(rule)(body)).toEqual(PASSED);
});
