import { describe, expect, test } from 'vitest';
import type { DestinationAnswer } from '../../src/api/destinations/destination-answer.ts';
import { ApiError } from '../../src/dashboard/model/api-error.ts';
import { faultAt, ownFaultAt } from '../../src/dashboard/text/field-faults.ts';
import type { HeaderLine } from '../../src/dashboard/text/header-line.ts';
import {
  changeOf,
  type DestinationForm,
  formOf,
  headerIssues,
  headerRows,
} from '../../src/dashboard/views/destination/destination-form.ts';
import { SHOWN_DEFAULTS, SHOWN_FRESH, SHOWN_SETTINGS } from '../fixtures/new-destination.ts';

const PLAIN: DestinationAnswer = {
  id: 'dst_1',
  url: 'https://shop.example.com/hooks',
  created_at: '2026-11-21T09:00:00.000Z',
  ...SHOWN_DEFAULTS,
  ...SHOWN_FRESH,
};

const FULL: DestinationAnswer = { ...PLAIN, ...SHOWN_SETTINGS, secret: '********b7oD' };

const KEPT = { secret: '', isUnsigned: false };

function change(
  before: DestinationAnswer,
  typed: Partial<DestinationForm>,
): Record<string, unknown> {
  return changeOf(before, { ...formOf(before), ...typed }, KEPT, headerRows(before));
}

describe('the change of a destination', () => {
  test.each([
    ['defaults', PLAIN],
    ['all settings', FULL],
    ['a schedule', { ...FULL, retry: { schedule: ['5s', '5m'], give_up_on: [410] } }],
  ])('is empty when nothing was typed: %s', (_, before) => {
    expect(change(before, {})).toEqual({});
  });

  test('from the defaults to another value of each setting has each of them', () => {
    const { headers, ...settings } = SHOWN_SETTINGS;
    expect(changeOf(PLAIN, formOf(FULL), KEPT, [])).toEqual({
      ...settings,
      filter: JSON.stringify(settings.filter),
    });
  });

  test.each<[Partial<DestinationForm>, object]>([
    [{ name: 'billing' }, { name: 'billing' }],
    [{ url: 'https://b.example.com/' }, { url: 'https://b.example.com/' }],
    [{ state: 'disabled' }, { state: 'disabled' }],
    [{ path: 'ignore' }, { path: 'ignore' }],
    [{ timeout: '20s' }, { timeout: '20s' }],
    [{ rate_limit: '10', rate_per: 'hour' }, { rate: { limit: 10, per: 'hour' } }],
    // A period without a limit is no limit.
    [{ rate_per: 'hour' }, {}],
    [{ concurrency: '8' }, { concurrency: 8 }],
    [{ concurrency: '' }, {}],
    [{ order_by: '*' }, { order_by: '*' }],
    [{ breaker: 'off' }, { breaker: 'off' }],
    [{ hold: '' }, { hold: null }],
    [{ sign_as: 'provider' }, { sign_as: 'provider' }],
    [{ retry: 'growing' }, { retry: { attempts: 8, base: '5s', factor: 5, max: '24h' } }],
    [
      { retry: 'schedule', schedule: '5s,5m  2h,', give_up_on: '4xx, 501' },
      { retry: { schedule: ['5s', '5m', '2h'], give_up_on: ['4xx', 501] } },
    ],
    // The server says what is wrong.
    [{ rate_limit: 'ten' }, { rate: { limit: 'ten', per: 'second' } }],
    [{ concurrency: 'many' }, { concurrency: 'many' }],
    // These fields don't show.
    [{ schedule: '5s', give_up_on: '501' }, {}],
  ])('of %j is %j', (typed, body) => {
    expect(change(PLAIN, typed)).toEqual(body);
  });

  test.each<[Partial<DestinationForm>, object]>([
    [{ name: '' }, { name: null }],
    [{ filter: '' }, { filter: null }],
    [{ timeout: '' }, { timeout: null }],
    [{ retry: 'server' }, { retry: null }],
    [{ give_up_on: '' }, { retry: { attempts: 3, base: '1s', factor: 2.5, max: '1m' } }],
    [{ rate_limit: '' }, { rate: null }],
    [{ concurrency: '' }, { concurrency: 'auto' }],
    [{ order_by: '' }, { order_by: null }],
    [{ hold: '1d' }, { hold: '1d' }],
    [{ sign_as: '' }, { sign_as: null }],
  ])('of all settings to %j is %j', (typed, body) => {
    expect(change(FULL, typed)).toEqual(body);
  });

  test.each([
    [KEPT, {}],
    [{ secret: 'new', isUnsigned: false }, { secret: 'new' }],
    [{ secret: '', isUnsigned: true }, { secret: null }],
  ])('with the secret %j is %j', (secret, body) => {
    expect(changeOf(FULL, formOf(FULL), secret, [])).toEqual(body);
  });
});

describe('headers', () => {
  const changed = (rows: HeaderLine[]) => changeOf(FULL, formOf(FULL), KEPT, rows);
  const [auth, shop] = headerRows(FULL) as [HeaderLine, HeaderLine];
  const added = (name: string, value: string): HeaderLine => ({ key: 9, name, value });

  test('only typed values and removals are sent, never a masked value', () => {
    expect(changed([auth, shop])).toEqual({});
    expect(changed([{ ...auth, value: 'Bearer 1' }, shop])).toEqual({
      headers: { authorization: 'Bearer 1' },
    });
    expect(changed([auth, { ...shop, isRemoved: true }])).toEqual({ headers: { 'x-shop': null } });
    expect(changed([auth, shop, added('x-new', '1')])).toEqual({ headers: { 'x-new': '1' } });
  });

  test('an empty row is left out, half a row is not', () => {
    expect(changed([added('', '')])).toEqual({});
    expect(changed([added('', '1')])).toEqual({ headers: { '': '1' } });
    expect(changed([added('x-new', '')])).toEqual({ headers: { 'x-new': '' } });
  });

  test('a name that objects have is a name', () => {
    const { headers } = changed([added('__proto__', '1')]) as { headers: object };
    expect(JSON.stringify(headers)).toBe('{"__proto__":"1"}');
  });

  test('two rows of one name are refused', () => {
    const twice = { path: 'headers.x-new', message: 'is there twice' };
    expect(headerIssues([auth, added('x-new', '1'), added('x-new', '2')])).toEqual([twice]);
    expect(headerIssues([auth, added('authorization', '1')])).toEqual([]);
  });
});

describe('the faults of a field', () => {
  const error = new ApiError(400, 'invalid_input', 'no', null, [
    { path: 'retry.schedule.1', message: 'must be a duration' },
    { path: 'retry', message: 'is wrong' },
    { path: 'headers.x.y', message: 'must not be empty' },
    { path: 'rate_limit', message: 'of another field' },
  ]);

  test.each([
    ['retry.schedule', 'entry 2: must be a duration'],
    ['headers.x.y', 'must not be empty'],
    ['rate', null],
    ['url', null],
  ])('at %s: %j', (path, text) => {
    expect(faultAt(error, path)).toBe(text);
  });

  test('without those of its parts', () => {
    expect(ownFaultAt(error, 'retry')).toBe('is wrong');
    expect(ownFaultAt(error, 'headers')).toBeNull();
    expect(ownFaultAt(null, 'retry')).toBeNull();
  });
});
