import { describe, expect, test } from 'vitest';
import { ApiError, errorOf } from '../../src/dashboard/model/api-error.ts';
import { faultText, fieldOf } from '../../src/dashboard/views/events/filter-fault.ts';

const invalid = (...paths: string[]) =>
  new ApiError(
    400,
    'invalid_input',
    'no',
    null,
    paths.map((path) => ({ path, message: `${path} is wrong` })),
  );

describe('the error of a filter', () => {
  const values = { type: '', where: 'body.a=1' };

  test('stands at its field', () => {
    expect(fieldOf(invalid('where'), values)).toBe('where');
    expect(fieldOf(invalid('type'), values)).toBe('type');
    expect(faultText(invalid('from', 'where'), 'where')).toBe('where is wrong');
  });

  test('of another field, or without a field, is shown by the list', () => {
    expect(fieldOf(invalid('q'), values)).toBeNull();
    expect(fieldOf(new ApiError(503, 'overloaded', 'no'), values)).toBeNull();
  });

  test('a search that takes too long is the rule’s', () => {
    const slow = new ApiError(503, 'search_too_long', 'no');
    expect(fieldOf(slow, values)).toBe('where');
    expect(fieldOf(slow, { type: 'a', where: '' })).toBeNull();
    expect(faultText(slow, 'where')).toMatch(/took too long/);
  });

  test('comes from the answer', async () => {
    const issues = [{ path: 'where', message: 'column 6: a name is missing' }];
    const body = { error: { code: 'invalid_input', message: 'where: …', issues } };
    const error = await errorOf(Response.json(body, { status: 400 }));
    expect(faultText(error, 'where')).toBe('column 6: a name is missing');
    expect((await errorOf(new Response('<html>', { status: 502 }))).issues).toEqual([]);
  });
});
