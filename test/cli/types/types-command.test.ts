import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { learned } from '../../fixtures/learned.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { accountShell } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

test('types are listed and their schemas written', async () => {
  const { run, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  expect(await run('types', 'list', 'orders')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'orders has no type yet: hookrelay learns types from events.\n',
  });
  await capture(endpoint.capture_url, '{"total": 10}');
  const headers = { 'x-github-event': 'Push Hook/1' };
  await capture(endpoint.capture_url, '{"ref": "main"}', { headers });
  await learned(account, endpoint, 2);

  const list = await run('types', 'list', 'orders');
  expect(list.stdout).toMatch(/^TYPE +PROVIDER +COUNT +FIRST +LAST/);
  expect(list.stdout).toMatch(/^Push Hook\/1 +github +1 /m);
  expect(list.stdout).toMatch(/^\(none\) +1 /m);
  const json = await run('types', 'list', 'orders', '--json');
  expect(json.json).toMatchObject([
    { type: 'Push Hook/1', count: 1 },
    { type: null, count: 1 },
  ]);

  const of = (...args: string[]) => run('types', 'schema', 'orders', ...args);
  const typescript = await of('Push Hook/1');
  expect(typescript).toMatchObject({ code: 0, stderr: '' });
  expect(typescript.stdout).toMatch(/^export interface \w+ \{\n {2}ref\?: string \| null;\n\}\n$/);
  expect((await of('Push Hook/1', '--format', 'zod')).stdout).toContain("from 'zod'");
  expect((await of()).stdout).toContain('total?: number | null;');
  expect((await of('--json')).json).toEqual({
    schema: expect.stringContaining('total?: number | null;'),
  });

  const unknown = await of('pull');
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toMatch(/no such type\n +hint: it has .*Push Hook\/1/);
  const wrong = await of('Push Hook/1', '--format', 'rust');
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toContain('must be one of typescript, zod, jsonschema, pydantic, go');
});
