import { expect, test } from 'vitest';
import { changedMembers } from '../../src/dashboard/views/account/audit-changes.ts';

test('a change is told member by member', () => {
  const changes = {
    name: ['orders', 'Orders'],
    retry: [
      { attempts: 5, base: '5s' },
      { attempts: 8, base: '5s', factor: 2 },
    ],
    scopes: [null, ['read', 'write']],
    dedupe: [null, { by: ['body.id'] }],
    hold: ['3d', null],
  } as const;
  expect(changedMembers(changes)).toEqual([
    { path: 'name', before: 'orders', after: 'Orders' },
    { path: 'retry.attempts', before: '5', after: '8' },
    { path: 'retry.factor', before: null, after: '2' },
    { path: 'scopes', before: null, after: 'read, write' },
    { path: 'dedupe.by', before: null, after: 'body.id' },
    { path: 'hold', before: '3d', after: null },
  ]);
  expect(changedMembers(null)).toEqual([]);
});

test('a masked secret that has changed is told, though both look alike', () => {
  expect(changedMembers({ secret: ['***', '***'] })).toHaveLength(1);
});
