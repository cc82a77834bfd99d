import { describe, expect, test } from 'vitest';
import type { SourceAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import type { ProviderAnswer } from '../../src/api/sources/provider-answer.ts';
import {
  dedupeFormOf,
  dedupeOf,
  deliveryIdOf,
} from '../../src/dashboard/views/proof/dedupe-form.ts';

describe('what repeats are recognised by', () => {
  test.each<[Parameters<typeof dedupeFormOf>[0]['dedupe'], ReturnType<typeof dedupeFormOf>]>([
    [null, { kind: 'off', paths: '' }],
    [{ by: 'provider' }, { kind: 'provider', paths: '' }],
    [{ by: ['header.x-id', 'body."a,b"'] }, { kind: 'paths', paths: 'header.x-id\nbody."a,b"' }],
  ])('%j is shown and sent unchanged', (dedupe, form) => {
    expect(dedupeFormOf({ dedupe })).toEqual(form);
    expect(dedupeOf(form)).toEqual(dedupe);
  });

  test('is read a line at a time, without blanks', () => {
    expect(dedupeOf({ kind: 'paths', paths: ' body.id \r\n\n header.x-id' })).toEqual({
      by: ['body.id', 'header.x-id'],
    });
    // The server says that a path is missing.
    expect(dedupeOf({ kind: 'paths', paths: ' ' })).toEqual({ by: [] });
    expect(dedupeOf({ kind: 'off', paths: 'body.id' })).toBeNull();
  });
});

test('the delivery id of the source is told where the provider has one', () => {
  const catalogue = [
    { name: 'stripe', dedupes_by: ['body.id'] },
    { name: 'asana', dedupes_by: null },
    { name: 'custom', dedupes_by: null },
  ] as unknown as ProviderAnswer[];
  const of = (provider: string) =>
    deliveryIdOf({ source: { provider } as unknown as SourceAnswer }, catalogue);
  expect(of('stripe')).toEqual(['body.id']);
  expect(of('asana')).toBe('none');
  expect(of('custom')).toBe('unknown');
  expect(of('other')).toBe('unknown');
  expect(deliveryIdOf({ source: null }, catalogue)).toBe('unknown');
});
