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
  expect(ATTEMPT.numbers(2)).toBe('$2, $3, $4');
  expect(ATTEMPT.values(row)).toEqual([7, null, 1]);
  expect(ATTEMPT.values({ eventSeq: 8, errorCode: null, probe: false })).toEqual([8, null, 0]);
  expect(ATTEMPT.and({ seq: 'bigint' }).names).toBe(`${ATTEMPT.names}, seq`);
});

test('a part of a description', () => {
  const part = ATTEMPT.only('probe', 'eventSeq');
  expectTypeOf<RowOf<typeof part>>().toEqualTypeOf<
    Readonly<{ eventSeq: number; probe: boolean }>
  >();
  expect(part.of('a')).toBe('a.event_seq, a.probe');
  expect(ATTEMPT.without('errorCode').names).toBe(part.names);
  const rest = ATTEMPT.without('errorCode', 'probe');
  expectTypeOf<RowOf<typeof rest>>().toEqualTypeOf<Readonly<{ eventSeq: number }>>();
  const placed = rest.and({ place: 'integer' });
  expectTypeOf<RowOf<typeof placed>>().toEqualTypeOf<
    Readonly<{ eventSeq: number; place: number }>
  >();
  expect(placed.sqlTypes).toEqual({ event_seq: 'bigint', place: 'integer' });
});
