import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, type Respond } from '../../fixtures/receiver.ts';
import { tempDir } from '../../fixtures/running-server.ts';
import { hookrelay, type Shell } from '../command-line.ts';

failOnLeaks();

const EVENT = 'evt_01m7ygcr1yfhe9cka3efzhr7er';
const PATH = `/api/endpoints/ep_1/events/${EVENT}/ai`;

function json(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  res.end(JSON.stringify(value));
}

/** A server with only the AI operations, in the contract's shapes. */
async function serverWith(answers: Record<string, [status: number, value: unknown]>) {
  const respond: Respond = ({ method, target, body, headers }, res) => {
    expect(headers.authorization).toBe('Bearer hr_test');
    if (target === `/api/events/${EVENT}`) {
      json(res, 200, { id: EVENT, endpoint_id: 'ep_1', body: null });
      return;
    }
    const answer = answers[`${method} ${target} ${body}`.trim()];
    json(res, ...(answer ?? [404, { error: { code: 'not_found', message: 'nothing here' } }]));
  };
  const { url } = await httpReceiver(respond);
  const shell: Shell = { home: tempDir(), url, token: 'hr_test' };
  return { url, run: (...args: string[]) => hookrelay(shell, ['ai', ...args]) };
}

const CODE = 'export function handle() {\n\treturn 1;\n}\n';

test('each operation calls its route and prints the answer', async () => {
  const handler = { language: 'go', framework: 'gin' };
  const { run } = await serverWith({
    [`GET ${PATH}/explain`]: [
      200,
      { explanation: 'An order \u001b[31mwas\u0007 made.\nBy Ada.', engine: 'builtin' },
    ],
    [`GET ${PATH}/schema`]: [200, { schema: 'interface Order {\n  id: number;\n}\n' }],
    [`GET ${PATH}/schema?over=type`]: [200, { schema: 'interface Orders {}\n' }],
    [`POST ${PATH}/handler ${JSON.stringify(handler)}`]: [
      200,
      { code: CODE, engine: 'ollama/gemma3' },
    ],
    [`GET ${PATH}/diagnose`]: [200, { diagnosis: 'It is down.', suggestion: 'Start it.' }],
  });
  const flags = ['--language', 'go', '--framework', 'gin'];
  const [explain, schema, merged, code, diagnose, explainJson, codeJson] = await Promise.all([
    run('explain', EVENT),
    run('schema', EVENT),
    run('schema', EVENT, '--over', 'type'),
    run('handler', EVENT, ...flags),
    run('diagnose', EVENT),
    run('explain', EVENT, '--json'),
    run('handler', EVENT, ...flags, '--json'),
  ]);
  expect(explain).toMatchObject({
    code: 0,
    stdout: 'An order was\\u0007 made.\nBy Ada.\n',
    stderr: 'made by builtin\n',
  });
  expect(schema).toMatchObject({
    code: 0,
    stdout: 'interface Order {\n  id: number;\n}\n',
    stderr: '',
  });
  expect(merged).toMatchObject({ code: 0, stdout: 'interface Orders {}\n', stderr: '' });
  // Tabs stay: the text becomes a file.
  expect(code).toMatchObject({ code: 0, stdout: CODE, stderr: 'made by ollama/gemma3\n' });
  expect(diagnose).toMatchObject({ code: 0, stdout: 'It is down.\n\nStart it.\n', stderr: '' });
  expect(explainJson).toMatchObject({ code: 0, stderr: '' });
  expect(explainJson.json.explanation).toBe('An order \u001b[31mwas\u0007 made.\nBy Ada.');
  expect(codeJson.json).toEqual({ code: CODE, engine: 'ollama/gemma3' });
});

test('a handler over its type is written with its test, and replaces no file', async () => {
  const handler = { file: 'webhooks.go', code: CODE, test_file: 'webhooks_test.go', test: 'x\n' };
  const { run } = await serverWith({
    [`POST ${PATH}/handler?over=type {"language":"go","framework":"gin"}`]: [200, handler],
    [`POST ${PATH}/handler {"language":"go","framework":"gin"}`]: [
      200,
      { ...handler, file: '../../outside.go' },
    ],
  });
  const out = join(tempDir(), 'hooks');
  const args = ['handler', EVENT, '--language', 'go', '--framework', 'gin', '--out', out];
  const [code, test] = [join(out, 'webhooks.go'), join(out, 'webhooks_test.go')];
  expect(await run(...args, '--over', 'type')).toMatchObject({
    code: 0,
    stdout: `${code}\n${test}\n`,
  });
  expect([readFileSync(code, 'utf8'), readFileSync(test, 'utf8')]).toEqual([CODE, 'x\n']);

  rmSync(code);
  const refused = await run(...args, '--over', 'type');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(`${test} exists already`);
  expect(existsSync(code)).toBe(false);

  rmSync(test);
  expect(await run(...args)).toMatchObject({ code: 0 });
  expect(readdirSync(out).sort()).toEqual(['outside.go', 'webhooks_test.go']);
});

test('a diagnosis without a suggestion is valid', async () => {
  const { run } = await serverWith({ [`GET ${PATH}/diagnose`]: [200, { diagnosis: 'Refused.' }] });
  expect(await run('diagnose', EVENT)).toMatchObject({ code: 0, stdout: 'Refused.\n' });
});

test('the reason why an operation is unavailable is printed', async () => {
  const error = (code: string, message: string, hint: string) => ({
    error: { code, message, hint },
  });
  const { run, url } = await serverWith({
    [`GET ${PATH}/explain`]: [
      403,
      error('plan_required', 'this needs the starter or the pro plan', 'hookrelay users set-plan'),
    ],
    [`GET ${PATH}/diagnose`]: [
      503,
      error('ai_unavailable', 'Ollama does not answer', 'ollama pull gemma3:4b'),
    ],
    [`POST ${PATH}/handler {"language":"go","framework":"express"}`]: [
      400,
      error('unsupported_framework', 'go goes with gin', 'use gin'),
    ],
  });
  const [plan, down, pair, missing] = await Promise.all([
    run('explain', EVENT),
    run('diagnose', EVENT, '--json'),
    run('handler', EVENT, '--language', 'go', '--framework', 'express'),
    run('schema', EVENT),
  ]);
  for (const outcome of [plan, down, pair, missing]) {
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
  }
  expect(plan.stderr).toBe(
    'hookrelay: this needs the starter or the pro plan\n  hint: hookrelay users set-plan\n',
  );
  expect(down.stderr).toContain('ollama pull gemma3:4b');
  expect(pair.stderr).toContain('go goes with gin');
  expect(missing.stderr).toBe(
    `hookrelay: the server at ${url} has no AI operations\n` +
      '  hint: a newer version of hookrelay has them\n',
  );
});
