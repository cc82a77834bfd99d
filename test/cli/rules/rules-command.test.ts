import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { accountShell, hookrelay } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

const ok = { code: 0, stderr: '' };
const RULE = 'body.type=invoice.paid and body.amount>=1000';
const NOWHERE = 'http://127.0.0.1:9/hooks';

/** An account with the endpoints `orders` and `shop`, and events in both. */
async function setting(text = 'much') {
  const { run, shell, account } = await accountShell(server);
  const orders = await account.createEndpoint({ name: 'orders' });
  const shop = await account.createEndpoint({ name: 'shop' });
  const send = (url: string, amount: unknown, type = 'invoice.paid') =>
    capture(url, JSON.stringify({ type, amount }));
  const ids = {
    small: await send(orders.capture_url, 500),
    large: await send(orders.capture_url, 2500),
    larger: await send(orders.capture_url, 9000),
    text: await send(orders.capture_url, text),
    shop: await send(shop.capture_url, 7000, 'invoice.voided'),
  };
  const github = { headers: { 'X-GitHub-Event': 'push', 'user-agent': 'GitHub-Hookshot/1' } };
  const push = await capture(shop.capture_url, '{"ref":"refs/heads/main"}', github);
  expect(await run('destinations', 'add', 'orders', NOWHERE, '--name', 'billing')).toMatchObject(
    ok,
  );
  return { run, shell, account, ids: { ...ids, push } };
}

/** First words of a table's lines, without the titles. */
function firstColumn(stdout: string): string[] {
  return stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(' ')[0] as string);
}

test('events of all endpoints are listed with their endpoints, by rule and by type', async () => {
  const { run, ids } = await setting();
  const [all, large, json, searched, searchedIn, byType, none, json400] = await Promise.all([
    run('events', 'list'),
    run('events', 'list', '--where', 'body.amount>=2500'),
    run('events', 'list', 'orders', '--where', '{"body": {"amount": {"$gte": 2500}}}', '--json'),
    run('events', 'search', 'invoice.voided'),
    run('events', 'search', 'orders', 'invoice.voided'),
    run('events', 'list', '--type', 'push'),
    run('events', 'list', '--where', 'body.amount>=99999'),
    run('events', 'search', ''),
  ]);
  expect(all).toMatchObject(ok);
  expect(all.stdout).toMatch(/^ID +ENDPOINT +STATUS +METHOD +RECEIVED +TYPE/);
  expect(firstColumn(all.stdout)).toEqual([
    ...[ids.push, ids.shop, ids.text, ids.larger, ids.large, ids.small],
  ]);
  expect(all.stdout).toMatch(new RegExp(`^${ids.shop}  shop    +received`, 'm'));
  expect(all.stdout).toMatch(new RegExp(`^${ids.small}  orders  +\\w`, 'm'));
  expect(firstColumn(large.stdout)).toEqual([ids.shop, ids.larger, ids.large]);
  expect(json.json.data.map(({ id }: { id: string }) => id)).toEqual([ids.larger, ids.large]);
  expect(firstColumn(searched.stdout)).toEqual([ids.shop]);
  expect(searchedIn).toMatchObject({ code: 0, stderr: 'No event of orders matches.\n' });
  expect(firstColumn(byType.stdout)).toEqual([ids.push]);
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No event matches.\n' });
  expect(json400).toMatchObject({ code: 2, stdout: '' });
});

test('a bulk replay takes a rule and a type', async () => {
  const { run } = await setting();
  const dry = ['replay', '--dry-run', '--json', '--endpoint'];
  const [large, paid, pushes] = await Promise.all([
    run(...dry, 'orders', '--where', 'body.amount>=2500'),
    run(...dry, 'orders', '--where', '{"body": {"type": "invoice.paid"}}'),
    run(...dry, 'shop', '--type', 'push'),
  ]);
  expect(large.json).toEqual({ matching: 2 });
  expect(paid.json).toEqual({ matching: 4 });
  expect(pushes.json).toEqual({ matching: 1 });
});

test('a rule is tried on events, and compared with the present one', async () => {
  const { run, ids } = await setting();
  await run('destinations', 'edit', 'orders', 'billing', '--filter', RULE, '--yes');
  // An account tries one rule at a time.
  const tried = await run('rules', 'try', 'orders', 'body.amount>=2500');
  const five = ['rules', 'try', 'orders', 'body.amount>=5000', '--destination'];
  const compared = await run(...five, 'billing');
  const nobody = await run(...five, 'nobody');
  const same = await run('rules', 'try', 'orders', '--destination', 'billing');
  const events = ['--event', ids.small, '--event', ids.large];
  const some = await run('rules', 'try', 'orders', 'body.amount>=2500', ...events);
  const json = await run('rules', 'try', 'orders', 'body.amount>=2500', '--last', '1', '--json');
  const noRule = await run('rules', 'try', 'orders');
  expect(tried).toMatchObject(ok);
  const lines = tried.stdout.split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'tried on 4 events: 2 match, 2 are dropped',
    '1 event has a value that the rule cannot take',
  ]);
  expect(lines[2]).toMatch(/^SAMPLE +RESULT +RECEIVED +TYPE$/);
  expect(tried.stdout).toMatch(new RegExp(`^${ids.small}  dropped  2`, 'm'));
  expect(tried.stdout).toMatch(new RegExp(`^${ids.large}  matched  2`, 'm'));
  expect(lines.slice(-3)).toEqual([
    'body.amount is text: $gte compares it with a number only if it is one, such as "500.00"',
    `  in ${ids.text}`,
    '',
  ]);
  expect(compared.stdout).toContain(
    'compared with the present rule of billing, the outcome differs for 1 event\n',
  );
  expect(compared.stdout).toMatch(new RegExp(`^${ids.large}  matched  dropped  2`, 'm'));
  expect(compared.stdout).not.toContain(ids.larger);
  expect(same.stdout).toContain('tried on 4 events: 2 match, 2 are dropped\n');
  expect(same.stdout).not.toContain('compared');
  expect(some.stdout).toContain('tried on 2 events: 1 matches, 1 is dropped\n');
  expect(json.json).toMatchObject({
    tried: 1,
    matched: 0,
    failed: 1,
    samples: [{ event_id: ids.text }],
  });
  expect(nobody).toMatchObject({ code: 1, stdout: '' });
  expect(noRule).toMatchObject({ code: 2, stdout: '' });
  expect(noRule.stderr).toContain('there is no rule to try');
});

test('a rule is set after a look at what changes, and earlier versions come back', async () => {
  const { run } = await setting('90');
  const set = (...args: string[]) => run('rules', 'set', 'orders', 'billing', ...args);
  const first = await set(RULE);
  expect(first).toMatchObject(ok);
  expect(first.stdout).toBe(
    '+ body.type=invoice.paid\n+ body.amount>=1000\n' +
      'tried on 4 events: 2 match, 2 are dropped\n' +
      'compared with the present rule of billing, the outcome differs for 2 events\nset as version 1\n',
  );
  const higher = RULE.replace('1000', '5000');
  const dry = await set(higher, '--dry-run');
  expect(dry.stderr).toBe('The rule is not set: --dry-run\n');
  expect(dry.stdout).toMatch(
    /^ {2}body\.type=invoice\.paid\n- body\.amount>=1000\n\+ body\.amount>=5000\ntried on 4 events/,
  );
  expect(dry.stdout).toMatch(/the outcome differs for 1 event\n$/);
  const unchanged = await set(RULE);
  expect(unchanged).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'billing has this rule already.\n',
  });

  const exact = '{"body":{"amount":{"$gte":12345678901234567890}}}';
  const json = await set(exact, '--json');
  expect(json.stdout).toContain('"$gte": 12345678901234567890');
  expect(json.json).toMatchObject({ before: RULE, trial: { tried: 4, matched: 0 }, version: 2 });
  const [none, again, missing] = [
    await set('--none'),
    await set('--version', '1'),
    await set('--version', '9'),
  ];
  expect(none.stdout).toMatch(
    /no rule: every event passes\ntried on 4 events: 4 match, 0 are dropped\n/,
  );
  expect(again.stdout).toMatch(/set as version 4\n$/);
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing.stderr).toBe(
    'hookrelay: there is no version 9 of this rule\n  hint: there are 4, 3, 2, 1\n',
  );

  const [versions, versionsJson, get] = await Promise.all([
    run('rules', 'versions', 'orders', 'billing'),
    run('rules', 'versions', 'orders', 'billing', '--json'),
    run('destinations', 'get', 'orders', 'billing', '--json'),
  ]);
  expect(get.json.filter).toBe(RULE);
  expect(versionsJson.stdout).toContain('"$gte": 12345678901234567890');
  expect(versionsJson.json.map(({ version }: { version: number }) => version)).toEqual([
    4, 3, 2, 1,
  ]);
  const time = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
  expect(versions.stdout).toMatch(
    new RegExp(
      `^4  ${time}  cli  \\(present\\)\n   ${RULE}\n   \\+ body\\.type=invoice\\.paid\n   \\+ body\\.amount>=1000\n3  ${time}  cli\n   no rule: every event passes\n   - \\{\n`,
    ),
  );
  expect(versions.stdout).toMatch(new RegExp(`\n1  ${time}  cli\n   ${RULE}\n$`));
});

test('a destination that never had a rule has no versions', async () => {
  const { run } = await setting();
  const versions = await run('rules', 'versions', 'orders', 'billing');
  expect(versions).toMatchObject({ code: 0, stdout: '' });
  expect(versions.stderr).toBe('billing never had a rule: every event passes.\n');
  const tried = await run('rules', 'try', 'orders', '--destination', 'billing');
  expect(tried).toMatchObject({ code: 2, stdout: '' });
});

test('destinations keep every digit of their filters', async () => {
  const { run } = await setting();
  const filter = '{"body": {"id": 12345678901234567890}}';
  const edited = await run('destinations', 'edit', 'orders', 'billing', '--filter', filter);
  expect(edited.stdout).toContain('filter:  {"body":{"id":12345678901234567890}}\n');
  const outcomes = await Promise.all([
    run('destinations', 'get', 'orders', 'billing', '--json'),
    run('destinations', 'list', 'orders', '--json'),
    run('destinations', 'add', 'orders', `${NOWHERE}/2`, '--filter', filter, '--json'),
  ]);
  for (const { stdout } of outcomes) expect(stdout).toContain('"id": 12345678901234567890');
});

test.each([
  [['events', 'list', '--where'], '--where'],
  [['events', 'search', 'x', '--where'], '--where'],
  [['tail', '--where'], '--where'],
  [['replay', '--endpoint', 'x', '--dry-run', '--where'], '--where'],
  [['destinations', 'add', 'x', NOWHERE, '--filter'], '--filter'],
  [['destinations', 'update', 'x', 'y', '--filter'], '--filter'],
  [['destinations', 'edit', 'x', 'y', '--filter'], '--filter'],
  [['rules', 'try', 'x'], 'the rule'],
  [['rules', 'set', 'x', 'y'], 'the rule'],
])('%j shows the place of a fault and sends nothing', async (args, name) => {
  const shell = { home: '/nonexistent', url: 'http://127.0.0.1:1', token: 'hr_x' };
  expect(await hookrelay(shell, [...args, 'body.amount>=true'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `hookrelay: ${name}: expected a number or a text\n  body.amount>=true\n               ^\n  hint: docs/rules.md describes rules\n`,
  });
});

test.each([
  [[], 'expected one rule'],
  [['body.a=1', '--none'], 'expected one rule'],
  [['--version', '1', '--none'], 'expected one rule'],
  [['--version', '0'], 'Expected a whole number'],
])('rules set with %j is wrong usage', async (args, message) => {
  const shell = { home: '/nonexistent', url: 'http://127.0.0.1:1', token: 'hr_x' };
  const outcome = await hookrelay(shell, ['rules', 'set', 'x', 'y', ...args]);
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toContain(message);
});

test('a filter that meets values it can’t take is saved only with --yes', async () => {
  const { run, ids } = await setting();
  const filter = ['--filter', 'body.amount>=1000'];
  const warning =
    'warning: of the newest 4 events, 1 has a value that the rule cannot take\n' +
    `  body.amount is text: $gte compares it with a number only if it is one, such as "500.00" (${ids.text})\n`;
  const refused = `${warning}hookrelay: nothing is saved: the filter meets values that it cannot take\n  hint: change the filter, or add --yes to save it anyway\n`;
  const edit = ['destinations', 'edit', 'orders', 'billing', ...filter];
  const add = ['destinations', 'add', 'orders', `${NOWHERE}/2`, ...filter];
  const set = ['rules', 'set', 'orders', 'billing', 'body.amount>=1000'];
  for (const command of [edit, add, set]) {
    expect(await run(...command)).toMatchObject({ code: 1, stderr: refused });
  }
  expect((await run('destinations', 'list', 'orders', '--json')).json).toMatchObject([
    { filter: null },
  ]);
  expect(await run(...edit, '--yes')).toMatchObject({ code: 0, stderr: warning });
  expect(await run(...add, '--yes')).toMatchObject({ code: 0, stderr: warning });
  const plain = 'body.amount=1000';
  expect(await run('destinations', 'edit', 'orders', 'billing', '--filter', plain)).toMatchObject({
    ...ok,
  });
  expect(await run(...set, '--yes')).toMatchObject({ code: 0, stderr: warning });
  expect(await run('events', 'list', 'orders', '--where', 'body.amount>=1000')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(warning),
  });
  const replay = ['replay', '--endpoint', 'orders', '--dry-run', '--where', 'body.amount>=1000'];
  expect((await run(...replay)).stderr).toContain(warning);
});
