import { expect, test } from 'vitest';
import { judgedCommit } from '../../src/capture/judged-commit.ts';
import type { CapturedRequest } from '../../src/core/http/captured-request.ts';
import type { JudgingSettings, Verdict } from '../../src/core/rules/verdict.ts';
import type { AppendResult } from '../../src/store/contract/events.ts';

const REQUEST = { id: 'evt_1', publicToken: 'token' } as CapturedRequest;
const STORED = { stored: true } as AppendResult;

/** A store whose settings change after each of the first `changes` commits. */
function world(changes: number) {
  let version = 1;
  let known: JudgingSettings | undefined;
  const committed: (number | undefined)[] = [];
  return {
    committed,
    options: {
      judge: {
        verdict: (): Verdict | undefined =>
          known && { version: known.version, dropped: [], orderKeys: [] },
        learn: (_: string, filters: JudgingSettings) => {
          known = filters;
        },
      },
      async commit({ verdict }: CapturedRequest): Promise<AppendResult> {
        committed.push(verdict?.version);
        if (verdict?.version === version) return STORED;
        const judgeBy = { userId: 'usr_1', version, filters: [] };
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
