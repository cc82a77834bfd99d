import { expect, inject, test } from 'vitest';
import { callApi, register } from '../fixtures/account.ts';
import { runServer, tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { report } from './report.ts';

const { loginsAtOnce, loginsTimed } = inject('scale');

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Distance between the medians of the first and the second half. */
function apart(values: number[]): number {
  const half = Math.floor(values.length / 2);
  return Math.abs(median(values.slice(0, half)) - median(values.slice(half)));
}

test('the time of a login does not reveal whether an account exists', async () => {
  // Failed logins are limited by address, so each comes from its own.
  const server = await runServer({ trustProxy: ['127.0.0.1'] });
  const { email } = await register(server);
  const times = { known: [] as number[], unknown: [] as number[] };
  /** Of requests that are refused without a hash, ms. */
  const unhashed: number[] = [];
  const bodies = new Set<string>();
  for (let i = 0; i < loginsTimed; i++) {
    // Alternates the two, so that other load on the machine affects both.
    const kinds = ['known', 'unknown'] as const;
    for (const kind of i % 2 ? kinds : kinds.toReversed()) {
      const address = `198.51.${Math.floor(i / 200)}.${(i % 200) + 1}`;
      const who = kind === 'known' ? email : `nobody-${i}@example.com`;
      const started = performance.now();
      const answer = await callApi(
        server,
        'POST',
        '/api/auth/login',
        { email: who, password: `wrong ${i}` },
        { headers: { 'x-forwarded-for': address } },
      );
      times[kind].push(performance.now() - started);
      expect(answer.status).toBe(401);
      bodies.add(answer.text);
    }
    const started = performance.now();
    expect((await callApi(server, 'GET', '/api/me')).status).toBe(401);
    unhashed.push(performance.now() - started);
  }
  expect(bodies.size).toBe(1);
  const [known, unknown] = [median(times.known), median(times.unknown)];
  // The distance between medians of two halves of the same kind is noise.
  const noise = Math.max(...Object.values(times).map(apart));
  report('logins of a known and an unknown email', {
    logins: 2 * loginsTimed,
    median_ms: { known, unknown, unhashed: median(unhashed) },
    noise_ms: noise,
  });
  expect(Math.min(known, unknown)).toBeGreaterThan(2 * median(unhashed));
  expect(Math.abs(known - unknown)).toBeLessThan(2 * noise + 0.1 * Math.max(known, unknown) + 2);
});

test.each(['right logins', 'wrong logins', 'registrations', 'refreshes'])(
  'a flood of %s of one account delays the logins of others by a few hashes',
  async (kind) => {
    const server = await serveIn(tempDir());
    const greedy = await register(server);
    const victim = await register(server);
    const login = { email: victim.email, password: victim.password };
    const flood = async (i: number) => {
      const { email, password, refreshToken } = greedy;
      const [path, body] = {
        'right logins': ['login', { email, password }],
        'wrong logins': ['login', { email, password: `guess ${i}` }],
        registrations: ['register', { email: `${i}-${email}`, password }],
        refreshes: ['refresh', { refreshToken }],
      }[kind] as [string, object];
      const started = performance.now();
      const { status } = await callApi(server, 'POST', `/api/auth/${path}`, body);
      return { status, ms: performance.now() - started };
    };
    const timed = async () => {
      const started = performance.now();
      const answer = await callApi(server, 'POST', '/api/auth/login', login);
      expect(answer.status).toBe(200);
      return performance.now() - started;
    };
    const alone: number[] = [];
    // Before and after the flood, so that other load on the machine affects all.
    for (let i = 0; i < 10; i++) alone.push(await timed());
    let isOver = false;
    const flooded = Promise.all(Array.from({ length: loginsAtOnce }, (_, i) => flood(i))).finally(
      () => {
        isOver = true;
      },
    );
    const beside: number[] = [];
    do beside.push(await timed());
    while (!isOver);
    const answers = await flooded;
    const slowest = Math.max(...answers.map(({ ms }) => ms));
    const answered = Object.groupBy(answers, ({ status }) => String(status));
    for (let i = 0; i < 10; i++) alone.push(await timed());
    const counts = Object.entries(answered).map(([status, all]) => [status, all?.length]);
    report(`logins beside ${loginsAtOnce} ${kind} at once`, {
      alone_ms: median(alone),
      beside_ms: median(beside),
      slowest_ms: Math.max(...beside),
      slowest_of_flood_ms: slowest,
      answered: Object.fromEntries(counts),
    });
    // Behind all waiters of the flood's account, a login would take longer than they do. A
    // flood that is not hashed delays it by its requests only.
    expect(Math.max(...beside)).toBeLessThan(slowest / 2 + 10 * median(alone));
    expect(Object.keys(answered)).not.toContain('503');
  },
);

test('guesses from one address lock nobody out elsewhere', async () => {
  const server = await runServer({ trustProxy: ['127.0.0.1'] });
  const { email, password } = await register(server);
  const login = (from: string, guess: string) =>
    callApi(
      server,
      'POST',
      '/api/auth/login',
      { email, password: guess },
      { headers: { 'x-forwarded-for': from } },
    );
  const statuses: number[] = [];
  for (let i = 0; i < 30; i++) statuses.push((await login('203.0.113.7', `guess ${i}`)).status);
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
  expect(new Set(statuses.slice(10))).toEqual(new Set([429]));
  expect((await login('203.0.113.7', password)).status).toBe(429);
  expect((await login('198.51.100.9', password)).status).toBe(200);
  report('guesses', { tried: 30, hashed: 10, owner_elsewhere: 'let in' });
});
