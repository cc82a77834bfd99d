import { expect, test } from 'vitest';
import type { ProviderAnswer } from '../../../src/api/sources/provider-answer.ts';
import { eventColumns, withCheck } from '../../../src/cli/events/event-tables.ts';
import { PROVIDER_COLUMNS } from '../../../src/cli/sources/providers-command.ts';
import { tableLines } from '../../../src/cli/terminal/table.ts';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { rejectedRequest, SENT_SECRET, signedHeaders } from '../../fixtures/rejected-request.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { accountShell, hookrelay } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

const ok = { code: 0, stderr: '' };

async function setup() {
  server.secrets.push(SENT_SECRET);
  const { run, account, shell } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const fed = (stdin: string, ...args: string[]) => hookrelay(shell, args, stdin);
  const send = (body: string) =>
    capture(endpoint.capture_url, body, { headers: signedHeaders(body) });
  return { run, account, endpoint, fed, send };
}

test('a source is set from stdin, changed by member, and removed', async () => {
  const { run, fed } = await setup();
  const edit = ['endpoints', 'edit', 'orders'];
  const set = await fed(
    `${SENT_SECRET}\nanother secret 5678\n`,
    ...[...edit, '--source', 'github', '--secret-stdin', '--dedupe', 'header.x-id,body."a,b"'],
  );
  expect(set).toMatchObject(ok);
  expect(set.stdout).toMatch(/^source: +github, observed$/m);
  expect(set.stdout).toMatch(/^verified with: +\*{8}nder$/m);
  expect(set.stdout).toMatch(/^verified with: +\*{8}5678$/m);
  expect(set.stdout).toMatch(/^dedupe: +by header.x-id, body."a,b"$/m);

  const enforced = await run(...edit, '--enforce', '--dedupe', 'provider', '--json');
  expect(enforced.json).toMatchObject({
    source: { provider: 'github', enforce: true, secrets: ['********nder', '********5678'] },
    dedupe: { by: 'provider' },
  });
  const list = await run('endpoints', 'list');
  expect(list.stdout).toMatch(/SOURCE +DEDUPE/);
  expect(list.stdout).toContain('github (enforced)');
  const observed = await run(...edit, '--no-enforce', '--json');
  expect(observed.json.source.enforce).toBe(false);
  const added = await fed(
    'a third 9012',
    ...edit,
    '--keep-secrets',
    '2',
    '--secret-stdin',
    '--json',
  );
  expect(added.json.source.secrets).toEqual(['********5678', '********9012']);
  const one = await run(...edit, '--keep-secrets', '2', '--json');
  expect(one.json.source.secrets).toEqual(['********9012']);
  const wrong = await run(...edit, '--keep-secrets', '0');
  expect(wrong.stderr).toContain('Expected numbers from 1');
  const removed = await run(...edit, '--no-source', '--no-dedupe', '--json');
  expect(removed.json).toMatchObject({ source: null, dedupe: null });
});

test('a token and a scheme of one’s own are described by flags', async () => {
  const { fed } = await setup();
  const edit = ['endpoints', 'edit', 'orders', '--secret-stdin', '--json'];
  const token = await fed('a token\n', ...edit, '--source', 'token', '--source-in', 'query.t');
  expect(token.json.source).toMatchObject({ provider: 'token', in: 'query.t' });
  const scheme = {
    ...{ signature: 'header.x-sign', form: '{hex}', algorithm: 'hmac-sha256', signed: '{body}' },
  };
  const url = ['--source-url', 'https://hooks.example/in'];
  const custom = await fed(
    'a secret',
    ...[...edit, '--source', 'custom', '--source-scheme', JSON.stringify(scheme), ...url],
  );
  expect(custom.json.source).toMatchObject({ provider: 'custom', scheme, url: url[1] });
});

test('an endpoint is created with a source', async () => {
  const { fed } = await setup();
  const create = ['endpoints', 'create', 'billing', '--source', 'stripe', '--secret-stdin'];
  const { json } = await fed('whsec_1234567890\n', ...create, '--enforce', '--json');
  expect(json.source).toMatchObject({ provider: 'stripe', enforce: true });
});

test('a source is checked on past events, before it is saved and after', async () => {
  const { run, fed, send, endpoint } = await setup();
  expect((await run('source', 'check', 'orders')).stderr).toContain('source.provider: is missing');
  await send('{"a":1}');
  await capture(endpoint.capture_url, '{}');
  const flags = ['--source', 'github', '--secret-stdin'];
  const tried = await fed(SENT_SECRET, 'source', 'check', 'orders', ...flags);
  expect(tried).toMatchObject(ok);
  expect(tried.stdout).toBe(
    'checked 2 events: 1 verified, 1 not\n' +
      'REASON             EVENTS\n' +
      'signature_missing       1\n',
  );
  await fed(SENT_SECRET, 'endpoints', 'edit', 'orders', ...flags);
  await send('{"a":2}');
  const last = await run('source', 'check', 'orders', '--last', '1');
  expect(last.stdout).toBe('checked 1 event: 1 verified, 0 not\n');
  expect(last.stderr).toBe(
    'To refuse requests that fail: hookrelay endpoints edit orders --enforce\n',
  );
  const json = (await run('source', 'check', 'orders', '--json')).json;
  expect(json).toEqual({
    checked: 3,
    verified: 2,
    failed: { signature_missing: 1 },
    skipped: 0,
    ended_early: false,
    hints: [],
  });
});

test('a check says what is wrong with the secrets', async () => {
  const { fed, send } = await setup();
  await send('{"a":1}');
  const flags = ['--source', 'github', '--secret-stdin'];
  const encoded = Buffer.from(SENT_SECRET).toString('base64');
  const found = await fed(`${encoded}\n`, 'source', 'check', 'orders', ...flags);
  expect(found.stderr).toContain('hint: secret 1 fits 1 event once it is decoded from base64\n');
  const two = await fed(`${SENT_SECRET}\nold\n`, 'source', 'check', 'orders', ...flags);
  expect(two.stderr).toContain('hint: secret 2 fits none of the last 1 event\n');
});

test('rejected requests are listed, shown and accepted', async () => {
  const { run, fed, account, endpoint } = await setup();
  expect((await run('rejected', 'list', 'orders')).stderr).toBe(
    'orders has no rejected request.\n',
  );
  const id = await rejectedRequest(account, endpoint);
  const list = await run('rejected', 'list', 'orders');
  expect(list).toMatchObject(ok);
  expect(list.stdout).toMatch(/^ID +REASON +RECEIVED +METHOD +FROM/);
  expect(list.stdout).toContain(`${id}  signature_mismatch`);
  const shown = await run('rejected', 'get', 'orders', id);
  expect(shown.stdout).toMatch(/^sender: +failed \(github\): signature_mismatch$/m);
  expect(shown.stdout).toMatch(/^why: +no secret of the endpoint’s source fits its signature$/m);
  expect(shown.stdout).toMatch(/^to do: +compare the sender’s signing secret/m);
  expect(shown.stdout).toMatch(/"a": 1/);
  expect((await run('rejected', 'get', 'orders', id, '--json')).json).toMatchObject({ id });

  const refused = await run('rejected', 'accept', 'orders', id);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  await fed(SENT_SECRET, 'endpoints', 'edit', 'orders', '--secret-stdin');
  const accepted = await run('rejected', 'accept', 'orders', id);
  expect(accepted.code).toBe(0);
  expect(accepted.stdout).toMatch(/^evt_\w+\n$/);
  expect(accepted.stderr).toContain('It is delivered like any event');
  const gone = await run('rejected', 'get', 'orders', id);
  expect(gone.stderr).toContain('hint: hookrelay rejected list orders');
});

test('an accepted request that repeats an event is said not to be delivered', async () => {
  const { run, fed, send, account, endpoint } = await setup();
  const id = await rejectedRequest(account, endpoint);
  await fed(SENT_SECRET, 'endpoints', 'edit', 'orders', '--secret-stdin', '--dedupe', 'body.a');
  const first = await send('{"a":1}');
  const accepted = await run('rejected', 'accept', 'orders', id);
  expect(accepted.stderr).toContain(`It repeats ${first} and is not delivered`);
});

test('lists and events say what was verified and what is a duplicate', async () => {
  const { run, fed, send, endpoint } = await setup();
  const plain = await capture(endpoint.capture_url, '{}');
  expect((await run('events', 'list', 'orders')).stdout).toMatch(
    /^ID +STATUS +METHOD +RECEIVED +TYPE/,
  );
  const flags = ['--source', 'github', '--secret-stdin', '--dedupe', 'body.id'];
  await fed(SENT_SECRET, 'endpoints', 'edit', 'orders', ...flags);
  const first = await send('{"id":1}');
  const second = await send('{"id":1}');
  const forged = await capture(endpoint.capture_url, '{"id":1}');
  const list = await run('events', 'list', 'orders');
  expect(list.stdout).toMatch(/^ID +STATUS +METHOD +RECEIVED +CHECK +TYPE/);
  const checks = Object.fromEntries(
    list.stdout
      .split('\n')
      .slice(1, 5)
      .map((line) => {
        const [id = '', , , , check = ''] = line.split(/ {2,}/);
        return [id, check];
      }),
  );
  expect(checks).toMatchObject({ [first]: 'verified', [second]: 'duplicate', [forged]: 'failed' });
  const only = await run('events', 'list', '--duplicates', 'only', '--json');
  expect(only.json.data.map(({ id }: { id: string }) => id)).toEqual([second]);
  const failed = await run('events', 'list', 'orders', '--verification', 'failed', '--json');
  expect(failed.json.data.map(({ id }: { id: string }) => id)).toEqual([forged]);
  const shown = await run('events', 'get', second);
  expect(shown.stdout).toMatch(/^sender: +verified \(github\)$/m);
  expect(shown.stdout).toMatch(new RegExp(`^repeats: +${first}; it is not delivered$`, 'm'));
  expect((await run('events', 'get', plain)).stdout).not.toMatch(/^(sender|repeats):/m);
});

test('a list with checks fits in 80 columns', async () => {
  const { run, fed, send } = await setup();
  const flags = ['--source', 'github', '--secret-stdin'];
  await fed(SENT_SECRET, 'endpoints', 'edit', 'orders', ...flags);
  await send('{}');
  const { data } = (await run('events', 'list', 'orders', '--json')).json;
  const surface = { width: 80, dim: (text: string) => text };
  // As on a terminal, where times are relative.
  const columns = withCheck(eventColumns, data).map((column) =>
    column.title === 'received' ? { ...column, value: () => '59m ago' } : column,
  );
  const lines = tableLines(data, columns, surface, (text) => text);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('verified');
});

test('providers are listed with what can be done with them', async () => {
  const { run } = await setup();
  const list = await run('providers');
  expect(list).toMatchObject(ok);
  expect(list.stdout).toMatch(
    /^NAME +VERIFIES +SIGNS +HANDSHAKE +TITLE +FIELDS +DEDUPES BY +SIGNS, BUT\n/,
  );
  expect(list.stdout).toMatch(/^stripe +yes +yes +Stripe +secrets/m);
  const { json } = await run('providers', '--json');
  expect(json.length).toBeGreaterThan(20);
  const surface = { width: 80, dim: (text: string) => text };
  const lines = tableLines(json as ProviderAnswer[], PROVIDER_COLUMNS, surface, (text) => text);
  expect(lines).toHaveLength(json.length + 1);
  for (const { title } of json) expect(lines.join('\n')).toContain(title);
});

test('a missing secret’s flag is named', async () => {
  const { run } = await setup();
  for (const args of [
    ['endpoints', 'edit', 'orders', '--source', 'stripe'],
    ['endpoints', 'create', 'billing', '--source', 'stripe'],
    ['source', 'check', 'orders', '--source', 'stripe'],
  ]) {
    const refused = await run(...args);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('source.secrets: is missing');
    expect(refused.stderr).toContain('--secret-stdin');
  }
});

test('wrong usage is refused before the server is asked', async () => {
  const { run, fed } = await setup();
  const edit = ['endpoints', 'edit', 'orders'];
  for (const [args, message] of [
    [['--no-source', '--enforce'], '--no-source excludes the other source flags'],
    [['--dedupe', ','], 'Expected provider, or paths such as header.x-id,body.id.'],
    [['--source', ''], 'Expected some text.'],
    [['--source-scheme', '[]'], 'Expected JSON such as'],
  ] as const) {
    const outcome = await run(...edit, ...args);
    expect(outcome, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(message);
  }
  const empty = await fed('\n', ...edit, '--source', 'stripe', '--secret-stdin');
  expect(empty.stderr).toContain('the secret is empty');
  const misspelt = await fed('x', ...edit, '--source', 'strpie', '--secret-stdin');
  expect(misspelt.stderr).toContain('nearest: stripe');
});
