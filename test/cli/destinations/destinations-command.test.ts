import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { capture, expectStatus } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { accountShell, hookrelay, Terminal } from '../command-line.ts';
import { LiveCommand } from '../live-command.ts';

failOnLeaks();
// A probe comes only when a person asks for it.
const server = serverOfFile({ breakerFailures: 3, breakerAfter: 0, breakerProbe: 300_000 });

async function setup(...flags: string[]) {
  const { run, shell, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const receiver = await httpReceiver();
  const added = await run(
    ...['destinations', 'add', 'orders', `${receiver.url}/hooks`, '--name', 'billing'],
    ...[...flags, '--json'],
  );
  const path = `/api/endpoints/${endpoint.id}/destinations/${added.json.id}`;
  return {
    ...{ shell, account, endpoint, receiver, added, path },
    run: (command: string, ...more: string[]) =>
      run('destinations', command, 'orders', 'billing', ...more),
    stored: async () => expectStatus(200, await account.call('GET', path)),
    capture: () => capture(endpoint.capture_url, '{"a": 1}'),
  };
}

const SETTINGS = [
  ...['--state', 'paused', '--path', 'ignore', '--timeout', '30s', '--rate', '10/minute'],
  ...['--concurrency', '8', '--breaker', 'off', '--hold', 'never', '--retry-attempts', '5'],
  ...['--give-up-on', '4xx,501', '--header', 'X-Team: billing 1234'],
];

test('every setting is given at add, shown by get, and reset by edit', async () => {
  server.secrets.push('billing 1234', 'Bearer 5678 from a file');
  const { run, added, stored } = await setup(...SETTINGS);
  const settings = {
    ...{ state: 'paused', path: 'ignore', timeout: '30s', concurrency: 8, breaker: 'off' },
    rate: { limit: 10, per: 'minute' },
    hold: null,
    retry: { attempts: 5, base: '5s', factor: 5, max: '24h', give_up_on: ['4xx', 501] },
    headers: { 'X-Team': '********1234' },
  };
  expect(added.json).toMatchObject(settings);
  expect(await stored()).toMatchObject(settings);
  const shown = (await run('get')).stdout;
  for (const line of [
    'state:       paused',
    'path:        ignore',
    'timeout:     30s',
    'retry:       5 attempts, after 5s, then × 5 up to 24h; gives up on 4xx, 501',
    'rate:        10/minute',
    'concurrency: 8',
    'breaker:     off',
    'hold:        never',
    'header:      X-Team: ********1234',
    'waiting:     nothing',
  ]) {
    expect(shown).toContain(`${line}\n`);
  }

  const file = join(tempDir(), 'headers');
  writeFileSync(file, 'Authorization: Bearer 5678 from a file\n');
  const merged = await run('edit', '--header-file', file, '--retry-base', '1s', '--json');
  expect(merged.json).toMatchObject({
    retry: { ...settings.retry, base: '1s' },
    headers: { 'X-Team': '********1234', Authorization: '********file' },
  });
  const without = await run('edit', '--remove-header', 'x-team', '--no-give-up-on', '--json');
  expect(without.json.headers).toEqual({ Authorization: '********file' });
  expect(without.json.retry).toEqual({ attempts: 5, base: '1s', factor: 5, max: '24h' });

  const reset = await run(
    ...['edit', '--no-state', '--no-path', '--no-timeout', '--no-rate', '--no-concurrency'],
    ...['--breaker', 'on', '--hold', '3d', '--no-retry', '--no-headers'],
  );
  expect(reset.stdout).toMatch(
    /^id: .*\nname: .*\nurl: .*\nsecret: .*\nstate: +active\nhealth: .*\nwaiting: .*\nadded: .*\n$/,
  );
});

test('headers come from stdin, and a new origin needs them again', async () => {
  server.secrets.push('Bearer from stdin 5678');
  const { run, shell, stored } = await setup();
  const edit = ['destinations', 'edit', 'orders', 'billing'];
  const given = await hookrelay(
    shell,
    [...edit, '--header-file', '-'],
    'authorization: Bearer from stdin 5678\n',
  );
  expect(given.stdout).toContain('authorization: ********5678\n');
  const moved = await run('edit', '--new-url', 'http://127.0.0.1:1/other');
  expect(moved).toMatchObject({ code: 1, stdout: '' });
  expect(moved.stderr).toContain(
    'hint: give authorization again with --header or --header-file, or add --no-headers\n',
  );
  const freed = await run(
    'edit',
    '--new-url',
    'http://127.0.0.1:1/other',
    '--no-headers',
    '--json',
  );
  expect(freed.json).toMatchObject({ url: 'http://127.0.0.1:1/other', headers: null });
  expect(await stored()).toEqual(freed.json);
});

test('the API refuses bad values, and the command says each of them', async () => {
  const { run } = await setup();
  const bad = await run('edit', '--timeout', '2m', '--concurrency', '300', '--header', 'host: x');
  expect(bad).toMatchObject({ code: 1, stdout: '' });
  for (const issue of ['timeout: must be from 1s to 1m', 'concurrency', 'headers.host']) {
    expect(bad.stderr).toContain(issue);
  }
});

test('pause lets deliveries wait, discard cancels them after a question, resume goes on', async () => {
  const { run, shell, capture, receiver } = await setup();
  expect((await run('pause')).stdout).toMatch(/^state: +paused$/m);
  await capture();
  await capture();
  const shown = await run('get');
  expect(shown.stdout).toMatch(/^waiting: 2 deliveries, the oldest made 2\S+Z$/m);
  const list = await hookrelay(shell, ['destinations', 'list', 'orders']);
  expect(list.stdout).toMatch(/ paused +2 +none /);

  const discard = ['destinations', 'discard', 'orders', 'billing'];
  const refused = new Terminal(shell, discard);
  await refused.seen('Cancel what waits for billing (2 deliveries, the oldest made');
  expect(await refused.type('n\r').ended()).toBe(1);
  expect(refused.screen).toContain('nothing is cancelled');
  expect((await run('discard', '--yes', '--json')).json).toEqual({ cancelled: 2 });
  expect(await run('discard', '--yes')).toMatchObject({
    code: 0,
    stdout: '0 deliveries cancelled\n',
  });

  await capture();
  expect(receiver.requests).toEqual([]);
  expect((await run('resume', '--json')).json).toMatchObject({ state: 'active' });
  await receiver.received(1);
});

test('a rotated secret is on stdout alone, and the old one signs too', async () => {
  const { run, shell, capture, receiver, stored } = await setup();
  const first = await run('rotate-secret');
  const old = first.stdout.trimEnd();
  expect(old).toMatch(/^whsec_\S{44}$/);
  expect(first.stderr).toContain(
    'It is not shown again.\nAttempts are signed with the new secret only.',
  );
  const second = await run('rotate-secret', '--overlap', '1h', '--json');
  const { secret, previous_expires_at: until } = second.json;
  server.secrets.push(old, secret, 'my own secret, long enough 5678');
  expect(second.stderr).toBe('');
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(59 * 60_000);
  expect((await run('get')).stdout).toContain(`old secret: signs too until ${until}\n`);
  await capture();
  const [request] = await receiver.received(1);
  for (const one of [old, secret]) {
    new Webhook(one).verify(String(request?.body), request?.headers as Record<string, string>);
  }

  const own = await hookrelay(
    shell,
    ['destinations', 'rotate-secret', 'orders', 'billing', '--secret-stdin', '--overlap', '0s'],
    'my own secret, long enough 5678\n',
  );
  expect(own).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'Attempts are signed with the new secret only.\n',
  });
  expect((await stored()).secret).toBe('********5678');
});

test('an open breaker is shown and probed; tail says when it opens and closes', async () => {
  const { run, shell, capture, receiver, added } = await setup('--retry-schedule', '1h');
  const [json, people] = [
    new LiveCommand(shell, ['tail', '--json']),
    new LiveCommand(shell, ['tail', 'orders']),
  ];
  const listening = new LiveCommand(shell, ['listen', '1', '--plain', '--endpoint', 'orders']);
  await json.printed('ready');
  await people.noted('following orders');
  await listening.noted('→ http://localhost:1/');
  expect((await run('probe')).stderr).toBe(
    'There is nothing to probe at billing: its breaker is not open.\n',
  );

  receiver.respond = status(500);
  for (let i = 0; i < 3; i++) await capture();
  const opened = await json.printed('health', 2);
  expect(opened.map(({ health }) => health)).toEqual(['failing', 'open']);
  expect(opened[1]).toMatchObject({
    endpoint_id: expect.stringMatching(/^ep_/),
    destination_id: added.json.id,
    destination_url: `${receiver.url}/hooks`,
    attempt_id: expect.stringMatching(/^att_/),
  });
  expect((await run('get')).stdout).toMatch(
    /^health: +open since \S+, 3 failures in a row, next probe \S+\nwaiting: +3 deliveries/m,
  );

  receiver.respond = status(200);
  const probed = await run('probe');
  // A fast receiver answers before the command ends.
  expect(probed.stderr).toMatch(
    /^(billing answers again\.|A waiting delivery probes billing now\..*\n {2}hint: hookrelay destinations get orders billing)\n$/,
  );
  await json.printed('health', 3);
  expect(json.of('health')[2]).toMatchObject({ health: 'healthy' });
  for (const command of [people, listening]) {
    const lines = () => command.lines.filter((line) => /^\S+ {2}(open|healthy) /.test(line));
    await until('both lines', () => lines().length === 2);
    expect(lines()).toEqual([
      expect.stringContaining(`open         ${receiver.url}/hooks  deliveries wait until a probe`),
      expect.stringContaining(`healthy      ${receiver.url}/hooks  the destination answers again`),
    ]);
  }
});

test('a destination that refuses every event is shown; tail says it, and when that is over', async () => {
  const { run, shell, capture, receiver } = await setup('--retry-schedule', '1h');
  const people = new LiveCommand(shell, ['tail', 'orders']);
  await people.noted('following orders');
  const lines = () => people.lines.filter((line) => /^\S+ {2}(refusing|healthy) /.test(line));
  receiver.respond = status(400);
  for (let i = 0; i < 3; i++) await capture();
  await until('tail says it', () => lines().length === 1);
  expect(lines()[0]).toContain('the destination refuses every event');
  expect((await run('get')).stdout).toMatch(/^health: +refusing since \S+, 3 failures in a row$/m);
  expect((await hookrelay(shell, ['destinations', 'list', 'orders'])).stdout).toMatch(/ refusing /);
  receiver.respond = status(200);
  await capture();
  await until('tail says that it is over', () => lines().length === 2);
  expect(lines()[1]).toContain('the destination answers again');
});

test('a weak secret and a doubled URL are taken with a warning on stderr', async () => {
  const { run, shell, receiver } = await setup('--secret', 'short');
  const weak =
    'warning: the secret is short: a secret of fewer than 24 characters can be guessed\n';
  const edited = await run('edit', '--secret', 'shorter');
  expect(edited.stderr).toContain(weak);
  expect(edited.stderr).toContain('hint: hookrelay makes a strong one: --generate-secret');
  expect(edited.stdout).not.toContain('warning');
  const rotated = await run('rotate-secret', '--secret', 'shortest', '--json');
  expect(rotated.stderr).toContain(weak);
  expect(rotated.json.warnings).toMatchObject([{ path: 'secret', code: 'weak_secret' }]);

  const url = `${receiver.url}/hooks`;
  const doubled = await hookrelay(shell, ['destinations', 'add', 'orders', url, '--json']);
  expect(doubled.stderr).toMatch(
    /^warning: the URL is also the URL of dst_\w+, which gets .* twice\n/,
  );
  expect(JSON.parse(doubled.stdout).warnings).toMatchObject([{ path: 'url', code: 'same_url' }]);
  const strong = await run('edit', '--generate-secret');
  expect(strong.stderr).not.toContain('warning');
});

test('a second destination of one name is refused, unless --same-name makes it', async () => {
  const { shell, receiver, added } = await setup();
  const command = (...args: string[]) => hookrelay(shell, ['destinations', ...args]);
  const second = `${receiver.url}/second`;
  const refusal = {
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`another destination has the name "billing": ${added.json.id}`),
  };
  expect(await command('add', 'orders', second, '--name', 'billing')).toMatchObject(refusal);
  await command('add', 'orders', second, '--name', 'ledger');
  const rename = ['edit', 'orders', 'ledger', '--name', 'billing'];
  expect(await command(...rename)).toMatchObject(refusal);
  expect(await command('edit', 'orders', 'billing', '--name', 'billing')).toMatchObject({
    code: 0,
  });
  const twin = await command(...rename, '--same-name', '--json');
  expect(twin).toMatchObject({ code: 0, stderr: '', json: { warnings: [{ code: 'same_name' }] } });
  const ambiguous = await command('get', 'orders', 'billing');
  expect(ambiguous).toMatchObject({ code: 2, stdout: '' });
  expect(ambiguous.stderr).toContain(`${added.json.id} (${receiver.url}/hooks)`);
  expect(ambiguous.stderr).toContain(`${twin.json.id} (${second})`);
});
