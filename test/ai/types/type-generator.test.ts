import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import type { TypesRequest } from '../../../src/ai/types/payload-types.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { until } from '../../fixtures/until.ts';

failOnLeaks();

const open: TypeGenerator[] = [];
afterEach(() => Promise.all(open.splice(0).map((types) => types.close())));

function generator(options?: { deadlineMs?: number; idleMs?: number }): TypeGenerator {
  const types = new TypeGenerator(options);
  open.push(types);
  return types;
}

function request(json: string): TypesRequest {
  return {
    body: Buffer.from(json),
    contentType: 'application/json',
    provider: null,
    eventType: null,
    format: 'typescript',
    learned: null,
    reservedNames: [],
  };
}

/** Half a second of work or more. */
function long(): TypesRequest {
  return request(`[${'{"a":[1,2,{"b":null}]},'.repeat(500_000)}1]`);
}

function threads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

test('a payload that takes too long fails by name, and a new thread serves the next', async () => {
  const types = generator({ deadlineMs: 200 });
  await expect(types.types(long())).rejects.toMatchObject({ code: 'ai_unavailable' });
  // On a busy machine even a small one may take this long.
  await until('one is in time', async () => {
    const found = await types.types(request('{"a":1}')).catch(() => null);
    return found?.name === 'WebhookPayload';
  });
});

describe('requests', () => {
  test('do not block the event loop', async () => {
    const types = generator();
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const start = performance.now();
    await types.types(long());
    clearInterval(timer);
    const lasted = performance.now() - start;
    expect(lasted).toBeGreaterThan(100);
    expect(turns).toBeGreaterThan(lasted / 5 / 4);
  });

  test('get their own answers', async () => {
    const types = generator();
    const names = ['push', 'ping', 'issues', 'release'];
    const found = await Promise.all(
      names.map((eventType, i) =>
        types.types({ ...request(`{"n${i}":1}`), provider: 'github', eventType }),
      ),
    );
    expect(found.map(({ name, code }) => [name, code.match(/n\d/)?.[0]])).toEqual([
      ['GithubPushEvent', 'n0'],
      ['GithubPingEvent', 'n1'],
      ['GithubIssuesEvent', 'n2'],
      ['GithubReleaseEvent', 'n3'],
    ]);
  });

  test('are refused when no place to wait is left', async () => {
    const types = generator();
    const all = await Promise.allSettled(
      Array.from({ length: 30 }, () => types.types(request('{"a":1}'))),
    );
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(30 - 17);
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded', retryAfterS: 2 } });
  });

  test('are dropped when their caller has left', async () => {
    const types = generator();
    const first = types.types(request('{"a":1}'));
    const caller = new AbortController();
    const waiting = types.types(long(), { signal: caller.signal });
    caller.abort();
    await expect(waiting).rejects.toThrow('aborted');
    await expect(types.types(request('1'), { signal: AbortSignal.abort() })).rejects.toThrow(
      'aborted',
    );
    await expect(first).resolves.toMatchObject({ name: 'WebhookPayload' });
  });

  test('keep no process alive when their caller has left', () => {
    const script = `
      import { TypeGenerator } from './src/ai/types/type-generator.ts';
      const caller = new AbortController();
      const body = Buffer.from('[' + '{"a":[1,2,{"b":null}]},'.repeat(3_000_000) + '1]');
      const asked = new TypeGenerator().types({ body, contentType: null, provider: null, eventType: null, format: 'typescript',
    learned: null, reservedNames: [] }, caller.signal);
      asked.catch(() => console.log('left', performance.now()));
      setTimeout(() => caller.abort(), 50);
      process.on('exit', () => console.log('exit', performance.now()));`;
    const args = ['--input-type=module-typescript', '-e', script];
    const said = execFileSync(process.execPath, args, { encoding: 'utf8' });
    const [left, exit] = [...said.matchAll(/[\d.]+/g)].map(Number);
    expect((exit as number) - (left as number)).toBeLessThan(1500);
  });

  test('fail by name when they are under way at the close', async () => {
    const types = generator();
    const running = types.types(long());
    const waiting = types.types(request('1'));
    const both = Promise.allSettled([running, waiting]);
    await types.close();
    for (const outcome of await both)
      expect(outcome).toMatchObject({ reason: { code: 'not_ready' } });
  });
});

test('the thread ends when it is idle, and starts again', async () => {
  const before = threads();
  const types = generator({ idleMs: 20 });
  await types.types(request('{"a":1}'));
  await until('the thread has ended', () => threads() === before);
  expect((await types.types(request('{"b":1}'))).code).toContain('b: number');
});
