import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { loginSchema, registrationSchema } from '../../src/accounts/credentials.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse';

test.each([
  [' Ada@Example.COM\t', 'ada@example.com'],
  ['ada+tag@sub.example.co.uk', 'ada+tag@sub.example.co.uk'],
  ["o'brien@example.com", "o'brien@example.com"],
  ['admin@localhost', 'admin@localhost'],
  // The Kelvin sign is a k in lower case: one account, not two that look alike.
  ['mar\u212a@example.com', 'mark@example.com'],
])('email %j is %j', (email, expected) => {
  expect(v.parse(registrationSchema, { email, password: PASSWORD }).email).toBe(expected);
  expect(v.parse(loginSchema, { email, password: 'x' }).email).toBe(expected);
});

test.each([
  '',
  ' ',
  'ada',
  'ada@',
  '@example.com',
  'a da@example.com',
  'ada@exa mple.com',
  'ada@@example.com',
  'ada@example..com',
  'ada@example.com\nbcc: x',
  'ada@example.com\u0000',
  'mar\u017f@example.com',
  'ädä@example.com',
  `${'a'.repeat(255 - '@example.com'.length)}@example.com`,
  7,
  null,
  ['ada@example.com'],
])('email %j is refused', (email) => {
  expect(v.safeParse(registrationSchema, { email, password: PASSWORD }).success).toBe(false);
  expect(v.safeParse(loginSchema, { email, password: PASSWORD }).success).toBe(false);
});

test.each([
  ['8 bytes', '12345678', true],
  ['7 bytes', '1234567', false],
  ['8 bytes in 2 characters', '😀😀', true],
  ['1024 bytes', 'x'.repeat(1024), true],
  ['1025 bytes', 'x'.repeat(1025), false],
  ['1025 bytes in 513 characters', `${'é'.repeat(512)}x`, false],
  ['10 bytes that are 8 in NFC', 'cafe\u0301123'.padEnd(8), true],
  ['8 bytes that are 7 in NFC', 'cafe\u030112', false],
  ['blanks', '        ', true],
  ['a lone surrogate', 'password\ud800', false],
  ['a number', 12345678, false],
])('new password of %s: %s', (_, password, accepted) => {
  const result = v.safeParse(registrationSchema, { email: EMAIL, password });
  expect(result.success).toBe(accepted);
});

test('a login takes any password and ignores unknown fields', () => {
  for (const password of ['', 'short', 'x'.repeat(5000)]) {
    const input = { email: EMAIL, password, plan: 'pro' };
    expect(v.parse(loginSchema, input)).toEqual({ email: EMAIL, password });
  }
});

test('no message repeats a password', () => {
  for (const password of [12345678, 'hunter2', 's3cret'.repeat(300), 'hunter22\ud800']) {
    const { issues } = v.safeParse(registrationSchema, { email: EMAIL, password });
    expect(issues?.length).toBeGreaterThan(0);
    for (const { message } of issues ?? []) expect(message).not.toContain(String(password));
  }
});

test('the schemas can be described', () => {
  const options = { target: 'openapi-3.0', typeMode: 'input', errorMode: 'ignore' } as const;
  expect(toJsonSchema(registrationSchema, options)).toMatchObject({
    type: 'object',
    properties: {
      email: { type: 'string', format: 'email', maxLength: 254 },
      password: {
        type: 'string',
        format: 'password',
        description: expect.stringContaining('1024'),
      },
    },
    required: ['email', 'password'],
  });
});
