import { expect, expectTypeOf, test } from 'vitest';
import { Columns, type RowOf } from '../../../src/store/shared/columns.ts';

const ATTEMPT = new Columns({ eventSeq: 'bigint', errorCode: 'text?', probe: 'boolean' });

test('a description makes the names, the parameters and the type of a row', () => {
  const row = { probe: true, errorCode: null, eventSeq: 7 };
  expectTypeOf(row).toExtend<RowOf<typeof ATTEMPT>>();
  expectTypeOf<RowOf<typeof ATTEMPT>['errorCode']>().toEqualTypeOf<string | null>();
  expect(ATTEMPT.names).toBe('event_seq, error_code, probe');
  expect(ATTEMPT.read('a')).toBe(
    'a.event_seq AS "eventSeq", a.error_code AS "errorCode", a.probe AS "probe"',
  );
  expect(ATTEMPT.unnest('a', 3)).toBe(
    'unnest($3::bigint[], $4::text[], $5::boolean[]) AS a(event_seq, error_code, probe)',
  );
  expect(ATTEMPT.arrays([row, { ...row, eventSeq: 8 }])).toEqual([
    [7, 8],
    [null, null],
    [true, true],
  ]);
  expect(ATTEMPT.marks).toBe('?, ?, ?');
  expect(ATTEMPT.values(row)).toEqual([7, null, 1]);
  expect(ATTEMPT.values({ eventSeq: 8, errorCode: null, probe: false })).toEqual([8, null, 0]);
  expect(ATTEMPT.and({ seq: 'bigint' }).names).toBe(`${ATTEMPT.names}, seq`);
});
