import { expect, test } from 'vitest';
import { AuditLog } from '../../src/api/audit-log.ts';
import { changesBetween } from '../../src/api/audit-note.ts';
import { systemClock } from '../../src/core/runtime/runtime.ts';
import { silentLog } from '../fixtures/silent-log.ts';

test('an entry that cannot be written is an error in the log, and nothing more', async () => {
  const errors: unknown[] = [];
  const full = new Error('the disk is full');
  const log = { ...silentLog, error: (...line: unknown[]) => void errors.push(line) };
  const store = { add: () => Promise.reject(full) };
  const audit = new AuditLog({ store: store as never, clock: systemClock, log });
  const user = { id: 'usr_1', email: 'ada@example.com', plan: 'free' } as const;
  const target = { type: 'account', id: 'usr_1', name: null } as const;
  await audit.write('auth.login', { user, sessionId: 'ses_1' }, { target }, '192.0.2.1');
  audit.wrongPassword(user, { address: '192.0.2.1', userAgent: null });
  await new Promise(setImmediate);
  const line = (action: string) => [
    'an audit entry could not be written',
    { action, account: 'usr_1', error: full },
  ];
  expect(errors).toEqual([line('auth.login'), line('auth.login_failed')]);
});

test.each([
  [null, { a: 1, b: null, c: false }, { a: [null, 1], c: [null, false] }],
  [{ a: 1, b: [1] }, { a: 1, b: [2] }, { b: [[1], [2]] }],
  [{ a: 'x' }, {}, { a: ['x', null] }],
  [{ a: 'x' }, { a: 'x' }, {}],
  [{}, { a: 'x'.repeat(501) }, { a: [null, `${'x'.repeat(500)}…`] }],
  [{}, { a: ['y'.repeat(600)] }, { a: [null, `["${'y'.repeat(498)}…`] }],
])('between %j and %j', (before, after, changes) => {
  expect(changesBetween(before, after)).toEqual(changes);
});
