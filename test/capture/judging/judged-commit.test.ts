import { expect, test } from 'vitest';
import { judgedCommit } from '../../../src/capture/judging/judged-commit.ts';
import { BorrowedBody } from '../../../src/core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import type { Verification } from '../../../src/core/proof/verification.ts';
import type { JudgingSettings, Verdict } from '../../../src/core/rules/verdict.ts';
import type { AppendResult } from '../../../src/store/contract/events.ts';

const REQUEST = { id: 'evt_1', publicToken: 'token' } as CapturedRequest;
const STORED = { stored: true } as AppendResult;
const SETTINGS: JudgingSettings = {
  userId: 'usr_1',
  version: 1,
  endpointId: 'ep_1',
  source: null,
  dedupe: null,
  filters: [],
};
const VERDICT: Verdict = {
  version: 1,
  dropped: [],
  orderKeys: [],
  verification: null,
  unjudged: null,
  once: null,
  refused: null,
  handshake: null,
};
const FAILED: Verification = {
  state: 'failed',
  provider: 'github',
  secret: null,
  reason: 'signature_mismatch',
};

/** A store whose settings change after each of the first `changes` commits. */
function world(changes: number) {
  let version = 1;
  let known: JudgingSettings | undefined;
  const committed: (number | undefined)[] = [];
  return {
    committed,
    options: {
      judge: {
        verdict: (): Verdict | undefined => known && { ...VERDICT, version: known.version },
        learn: (_: string, filters: JudgingSettings) => {
          known = filters;
        },
      },
      async commit({ verdict }: CapturedRequest): Promise<AppendResult> {
        committed.push(verdict?.version);
        if (verdict?.version === version) return STORED;
        const judgeBy = { ...SETTINGS, version };
        if (committed.length <= changes) version++;
        return { stored: false, reason: 'stale', judgeBy };
      },
    },
  };
}

test('judges again by the filters that the commit returned', async () => {
  const { committed, options } = world(2);
  expect(await judgedCommit(REQUEST, options)).toBe(STORED);
  expect(committed).toEqual([undefined, 1, 2, 3]);
});

test('gives up when the settings change faster than it judges', async () => {
  const { committed, options } = world(100);
  await expect(judgedCommit(REQUEST, options)).rejects.toMatchObject({ code: 'overloaded' });
  expect(committed).toHaveLength(10);
});

test('returns a refusal as it is', async () => {
  const refused: AppendResult = { stored: false, reason: 'endpoint_inactive' };
  const options = { ...world(0).options, commit: async () => refused };
  expect(await judgedCommit(REQUEST, options)).toBe(refused);
});

test.each([
  [true, 'forged'],
  [false, ''],
])('commits the body of a refused request that is kept: %s', async (keep, stored) => {
  const committed: string[] = [];
  const verdict = { ...VERDICT, verification: FAILED, refused: { keep } };
  const result = await judgedCommit(
    { ...REQUEST, body: new BorrowedBody(Buffer.from('forged')) },
    {
      judge: { verdict: () => verdict, learn() {} },
      async commit({ body, verdict: given }) {
        committed.push(body.bytes.toString());
        expect(given).toEqual(verdict);
        return { stored: false, reason: 'signature_invalid' };
      },
    },
  );
  expect(committed).toEqual([stored]);
  expect(result).toEqual({ stored: false, reason: 'signature_invalid', verification: FAILED });
});

test('judges a refused request again when the settings have changed', async () => {
  const { committed, options } = world(1);
  const judge = {
    ...options.judge,
    verdict() {
      const verdict = options.judge.verdict();
      return verdict?.version === 1 ? { ...verdict, refused: { keep: false } } : verdict;
    },
  };
  const body = new BorrowedBody(Buffer.from('real'));
  expect(await judgedCommit({ ...REQUEST, body }, { ...options, judge })).toBe(STORED);
  expect(committed).toEqual([undefined, 1, 2]);
});
