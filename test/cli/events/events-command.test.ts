import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { accountShell, hookrelay, hookrelayCutOff, hookrelayProcess } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile({ retryAttempts: 2 });
// A test runs dozens of processes.

const ok = { code: 0, stderr: '' };

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const EXACT = '{"n": 12345678901234567890, "f":1.0,\r\n\t"e":"caf\\u00e9","s":"\u0085\u202e"}';

test('events are listed, searched, read, also raw, in text and JSON', async () => {
  const { run, shell, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const empty = await run('events', 'list', 'orders');
  expect(empty).toMatchObject({ code: 0, stdout: '' });
  expect(empty.stderr).toBe(
    `orders has no event yet. Send one: curl -d '{}' ${endpoint.capture_url}\n`,
  );
  const exact = await capture(`${endpoint.capture_url}/a%00b?x=1`, EXACT, {
    headers: { ...JSON_TYPE.headers, body: 'a header', 'x-evil': '\u009b31m' },
  });
  const text = await capture(endpoint.capture_url, 'plain \u001b[31mred\u0007\tx\nline 2', {
    method: 'PUT',
  });
  const binary = Buffer.from([0, 255, 254, 10, 13, 128]);
  const bytes = await capture(endpoint.capture_url, binary);
  const nothing = await capture(endpoint.capture_url, '', { method: 'GET' });

  const [list, page, byMethod, found, foundJson, past, none, future] = await Promise.all([
    run('events', 'list', 'orders'),
    run('events', 'list', 'orders', '--limit', '3', '--page', '2'),
    run('events', 'list', 'orders', '--method', 'put', '--json'),
    run('events', 'search', 'orders', 'café'),
    run('events', 'list', 'orders', '--q', '\\u00e9', '--json'),
    run('events', 'list', 'orders', '--from', '1h', '--json'),
    run('events', 'list', 'orders', '--to', '1h', '--status', 'received'),
    run('events', 'list', 'orders', '--page', '9'),
  ]);
  expect(list).toMatchObject(ok);
  expect(list.stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
    ...['ID', nothing, bytes, text, exact, ''],
  ]);
  expect(page.stdout.split('\n')).toHaveLength(3);
  expect(page.stderr).toBe('4 events in all, page 2 of 2\n');
  expect(byMethod.json).toMatchObject({ total: 1, page: 1, limit: 50, data: [{ id: text }] });
  expect(found.stdout).toContain(exact);
  expect(found.stdout.split('\n')).toHaveLength(3);
  expect(foundJson.json.data).toMatchObject([
    { id: exact, method: 'POST', size: EXACT.length + 3 },
  ]);
  expect(past.json.total).toBe(4);
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No event of orders matches.\n' });
  expect(future).toMatchObject({ code: 0, stdout: '' });
  expect(future.stderr).toContain('This page has no event.\n4 events in all');

  const [getExact, getJson, getText, getBytes, getNothing] = await Promise.all([
    run('events', 'get', exact),
    run('events', 'get', exact, '--json'),
    run('events', 'get', text),
    run('events', 'get', bytes),
    run('events', 'get', nothing),
  ]);
  expect(getExact.stdout).toContain(
    'body:\n  {\n    "n": 12345678901234567890,\n    "f": 1.0,\n    "e": "caf\\u00e9",\n',
  );
  expect(getExact.stdout).toContain('request:  POST /a%00b?x=1\n');
  expect(getExact.stdout).toContain('deliveries: none\n');
  expect(getJson.stdout).toContain('"n": 12345678901234567890,\n    "f": 1.0');
  expect(getJson.json.body).toEqual(JSON.parse(EXACT));
  expect(getJson.json.headers).toMatchObject({ body: 'a header' });
  expect(getText.stdout.endsWith('body:\n  plain red\\u0007\tx\n  line 2\n')).toBe(true);
  expect(getBytes.stdout).toContain(`not text; save it: hookrelay events raw ${bytes} >FILE\n`);
  expect(getNothing.stdout.endsWith('body:\n  none\n')).toBe(true);
  for (const { stdout } of [getExact, getJson, getText]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  }

  const [rawExact, rawBytes, rawNothing, rawJson] = await Promise.all([
    run('events', 'raw', exact),
    run('events', 'raw', bytes),
    run('events', 'raw', nothing),
    run('events', 'raw', bytes, '--json'),
  ]);
  expect(rawExact.bytes).toEqual(Buffer.from(EXACT));
  expect(rawBytes.bytes).toEqual(binary);
  expect(rawNothing).toMatchObject({ ...ok, stdout: '' });
  expect(rawJson.json).toEqual({ id: bytes, size: 6, base64: binary.toString('base64') });

  const stranger = await accountShell(server);
  const [foreign, unknown, noEndpoint, notAnId] = await Promise.all([
    stranger.run('events', 'get', exact),
    run('events', 'attempts', 'evt_00000000000000000000000000'),
    hookrelay(shell, ['events', 'list', 'nope']),
    run('events', 'raw', '../../me'),
  ]);
  for (const outcome of [foreign, unknown]) {
    expect(outcome).toMatchObject({ code: 1, stderr: 'hookrelay: there is no such event\n' });
  }
  expect(noEndpoint).toMatchObject({ code: 1, stdout: '' });
  expect(notAnId).toMatchObject({ code: 2, stdout: '' });
});

test('a megabyte is written completely, and a reader may leave early', async () => {
  const { shell, account } = await accountShell(server);
  const { capture_url } = await account.createEndpoint();
  const body = Buffer.alloc(2_000_000, 'abcdefgh\n');
  const id = await capture(capture_url, body);
  const [whole, cut] = await Promise.all([
    hookrelayProcess(shell, ['events', 'raw', id]),
    hookrelayCutOff(shell, ['events', 'raw', id]),
  ]);
  expect(whole.bytes.equals(body)).toBe(true);
  expect(cut).toMatchObject(ok);
});

test('attempts are listed, and events replayed', async () => {
  const { run, account } = await accountShell(server);
  const receiver = await httpReceiver(status(500));
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const lonely = await account.createEndpoint({ name: 'lonely' });
  await account.addDestination(endpoint, receiver.url);
  const first = await capture(endpoint.capture_url, '{"order": 1}');
  const second = await capture(endpoint.capture_url, '{"order": 2}');
  const alone = await capture(lonely.capture_url, '{}');
  await until('both are dead', async () => {
    return (await account.list(endpoint, '?status=dead_letter')).total === 2;
  });

  const [attempts, attemptsJson, get] = await Promise.all([
    run('events', 'attempts', first),
    run('events', 'attempts', first, '--json'),
    run('events', 'get', first),
  ]);
  expect(attempts.stdout).toMatch(
    /^# {2}TRIGGER {2}RESULT +TOOK {2}WHEN +NEXT {2}DESTINATION +ANSWER\n1 {2}capture {2}500 .* status 500\n2 /,
  );
  expect(attemptsJson.json).toMatchObject([{ attempt: 1, response_code: 500 }, { attempt: 2 }]);
  expect(get.stdout).toContain(`  dead, ${receiver.url}/, 2 attempts\n`);

  receiver.respond = status(204);
  const [one, several, dry, dryText, unsure, mixed, nothing] = await Promise.all([
    run('replay', first),
    run('replay', second, alone, '--json'),
    run('replay', '--endpoint', 'orders', '--q', '"order": 2', '--dry-run', '--json'),
    run('replay', '--endpoint', 'lonely', '--dry-run'),
    run('replay', '--endpoint', 'orders'),
    run('replay', first, '--status', 'failed'),
    run('replay'),
  ]);
  expect(one).toMatchObject({ ...ok, stdout: `${first}: 1 delivery\n` });
  expect(several.code).toBe(0);
  expect(several.lines).toEqual([
    { queued: true, event_id: second, deliveries: 1 },
    { queued: true, event_id: alone, deliveries: 0 },
  ]);
  expect(several.stderr).toBe(
    `${alone} goes nowhere: its endpoint has no destination, or filters dropped it.\n` +
      '  hint: add a destination, or send the events to this machine:\n' +
      '        hookrelay destinations add lonely URL\n' +
      `        hookrelay replay ${alone} --to http://localhost:3000\n` +
      '        hookrelay listen 3000 --endpoint lonely --since 1h\n',
  );
  expect(dry.json).toEqual({ matching: 1 });
  expect(dryText.stdout).toBe('1 event would be replayed\n');
  expect(dryText.stderr).toBe(
    'These events go nowhere: lonely has no destination.\n' +
      '  hint: add a destination, or send the events to this machine:\n' +
      '        hookrelay destinations add lonely URL\n' +
      '        hookrelay replay EVENT --to http://localhost:3000\n' +
      '        hookrelay listen 3000 --endpoint lonely --since 1h\n',
  );
  expect(unsure).toMatchObject({ code: 2, stdout: '' });
  expect(unsure.stderr).toContain('--dry-run');
  expect(mixed).toMatchObject({ code: 2, stdout: '' });
  expect(nothing).toMatchObject({ code: 2, stdout: '' });
  await until('both are delivered', async () => {
    return (await account.list(endpoint, '?status=delivered')).total === 2;
  });

  const before = receiver.requests.length;
  const filter = ['--endpoint', endpoint.capture_url, '--status', 'delivered', '--from', '1h'];
  const many = await run('replay', ...filter, '--yes', '--json');
  expect(many).toMatchObject({
    ...ok,
    json: { queued: 2, job_id: expect.stringMatching(/^job_/) },
  });
  await receiver.received(before + 2);
  const [partly, noMatch, nothingThere, nothingCounted] = await Promise.all([
    run('replay', 'evt_00000000000000000000000000', first),
    run('replay', '--endpoint', 'orders', '--q', 'no such text', '--yes'),
    run('replay', '--endpoint', 'lonely', '--q', 'no such text', '--yes'),
    run('replay', '--endpoint', 'lonely', '--q', 'no such text', '--dry-run'),
  ]);
  expect(partly).toMatchObject({ code: 1, stdout: `${first}: 1 delivery\n` });
  expect(partly.stderr).toBe(
    'evt_00000000000000000000000000: there is no such event\n' +
      'hookrelay: 1 event could not be replayed\n',
  );
  expect(noMatch).toMatchObject({ ...ok, stdout: '0 events queued\n' });
  // `ok` has an empty stderr: no event lacks a destination.
  expect(nothingThere).toMatchObject({ ...ok, stdout: '0 events queued\n' });
  expect(nothingCounted).toMatchObject({ ...ok, stdout: '0 events would be replayed\n' });
});

test('AI operations that the server lacks are reported as missing', async () => {
  const { run, account } = await accountShell(server);
  const { capture_url } = await account.createEndpoint();
  const outcome = await run('ai', 'explain', await capture(capture_url));
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toMatch(/has no AI operations|starter or the pro plan|not_implemented/);
});

test('what waits is listed with its holder, and an event counts its deliveries', async () => {
  const { run, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'held' });
  await capture(endpoint.capture_url, 'delivered nowhere');
  const settings = { name: 'ledger', state: 'paused' };
  const { id } = await account.addDestination(endpoint, 'http://127.0.0.1:9', undefined, settings);
  const held = await capture(endpoint.capture_url, 'held');
  const [list, json, shown] = await Promise.all([
    run('events', 'list', 'held', '--waiting'),
    run('events', 'list', '--waiting', '--json'),
    run('events', 'get', held),
  ]);
  expect(list.stdout.split('\n')).toHaveLength(3);
  expect(list.stdout).toMatch(new RegExp(`${held} +held by ledger’s pause `));
  expect(json.json).toMatchObject({
    total: 1,
    data: [
      {
        ...{ id: held, status: 'received' },
        delivery_counts: { pending: 1, held: 1, succeeded: 0, dead: 0, filtered: 0, cancelled: 0 },
        held_by: { destination_id: id, name: 'ledger', waits_for: 'paused' },
      },
    ],
  });
  expect(shown.stdout).toMatch(/counts: +1 pending \(1 held\)/);
  const refused = await account.call('GET', '/api/events?waiting=maybe');
  expect(refused).toMatchObject({ status: 400, json: { error: { code: 'invalid_input' } } });
});
