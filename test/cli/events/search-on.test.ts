import { expect, test } from 'vitest';
import { type ListEvents, searchOn } from '../../../src/cli/events/search-on.ts';
import { Output } from '../../../src/cli/terminal/output.ts';
import { HookrelayError } from '../../../src/core/errors.ts';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { accountShell } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

/** More values than are parsed for a rule. */
const COSTLY = `[${'0,'.repeat(1_000_000)}0]`;

test('a search goes on past events that no rule can judge; with --json by its cursor', async () => {
  const { run, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const ids: string[] = [];
  for (const body of ['{"n":1}', COSTLY, '{"n":2}', '{"n":3}']) {
    ids.push(await capture(endpoint.capture_url, body));
  }
  const [one, costly, two, three] = ids as [string, string, string, string];
  const list = ['events', 'list', 'orders', '--where', 'body.n>0'];
  const idsIn = (stdout: string) => stdout.match(/^evt_\w+/gm);
  const all = await run(...list);
  expect(all).toMatchObject({ code: 0, stderr: expect.stringContaining(costly) });
  expect(idsIn(all.stdout)).toEqual([three, two, one]);
  const last = await run(...list, '--limit', '2', '--page', '2');
  expect(idsIn(last.stdout)).toEqual([one]);
  expect(last.stderr).toContain('3 events in all, page 2 of 2\n');
  const first = await run(...list, '--limit', '2');
  expect(idsIn(first.stdout)).toEqual([three, two]);
  expect(first.stderr).toContain('2 events or more match');

  const stopped = await run(...list, '--json');
  expect(stopped.code).toBe(1);
  expect(stopped.json).toMatchObject({ data: [{ id: three }, { id: two }], looked_at: 3 });
  const { cursor } = stopped.json;
  expect(stopped.stderr).toContain(`go on: --cursor ${cursor}`);
  const rest = await run(...list, '--json', '--cursor', cursor);
  expect(rest).toMatchObject({ code: 0 });
  expect(rest.json).toMatchObject({ data: [{ id: one }], total: 1 });
});

test('says how far it came, and reads on until the page is full', async () => {
  const asked: Parameters<ListEvents>[] = [];
  const event = (n: number) => ({ id: `evt_${n}` });
  const stopped = (numbers: number[], cursor: string) =>
    new HookrelayError('search_too_long', 'no', {
      beside: { data: numbers.map(event), cursor, looked_at: 6000, until: '2026-01-31T00:00:00Z' },
    });
  const answers = [
    stopped([9, 8], 'a'),
    stopped([7], 'b'),
    { data: Array.from({ length: 1000 }, (_, i) => event(-i)), page: 1, limit: 1000, total: 1001 },
    { data: [event(-1000)], page: 2, limit: 1000, total: 1001 },
  ];
  const list: ListEvents = async (...options) => {
    asked.push(options);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer as never;
  };
  const out = new Output({ json: false });
  const found = await searchOn({ out }, list, { where: 'x' }, { limit: 334, page: 4 });
  expect({ ...found, data: found.data.map(({ id }) => id) }).toEqual({
    ...{ data: ['evt_-999', 'evt_-1000'], page: 4, limit: 334, total: 1004, isPart: false },
  });
  const where = 'x';
  expect(asked).toEqual([
    [{ where, limit: 334, page: 4 }, undefined],
    [
      { where, cursor: 'a', limit: 1000, page: 1 },
      'searching: 6,000 events, back to 2026-01-31T00:00:00Z, 2 found,',
    ],
    [
      { where, cursor: 'b', limit: 1000, page: 1 },
      'searching: 12,000 events, back to 2026-01-31T00:00:00Z, 3 found,',
    ],
    [{ where, cursor: 'b', limit: 1000, page: 2 }, expect.any(String)],
  ]);
});
