import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { accountShell, hookrelay } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

/** An endpoint whose destination answers 500 and is tried again in an hour. */
async function setup() {
  const { run, shell, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const receiver = await httpReceiver(status(500));
  const add = ['destinations', 'add', 'orders', receiver.url, '--name', 'billing'];
  const { json } = await run(...add, '--retry-schedule', '1h', '--json');
  const deliveries = async (...flags: string[]) =>
    (await run('deliveries', 'list', 'orders', '--json', ...flags)).json;
  return {
    ...{ run, shell, account, endpoint, receiver, destinationId: json.id as string, deliveries },
    /** Captures an event whose first attempt fails. Returns its delivery. */
    async failed() {
      const eventId = await capture(`${endpoint.capture_url}/push`, '{"a": 1}');
      return until('an attempt has failed', async () => {
        const { data } = await deliveries();
        const found = data.find((one: { event_id: string }) => one.event_id === eventId);
        return found?.attempts === 1 && found;
      });
    },
  };
}

test('deliveries are listed, filtered and shown with their attempts', async () => {
  const { run, failed, destinationId, deliveries, receiver } = await setup();
  const empty = await run('deliveries', 'list', 'orders');
  expect(empty).toMatchObject({ code: 0, stdout: '' });
  expect(empty.stderr).toContain('orders has no delivery yet.');
  const first = await failed();
  const second = await failed();

  const table = (await run('deliveries', 'list', 'orders')).stdout.split('\n');
  expect(table[0]).toMatch(/^ID +EVENT +DESTINATION +STATE +ATTEMPTS +WAITS FOR +ERROR$/);
  expect(table.slice(1, 3).map((line) => line.split(/ +/))).toEqual(
    [second, first].map(({ id, event_id, next_attempt_at: next }) => [
      ...[id, event_id, 'billing', 'pending', '1', 'retry', next, 'http_status'],
    ]),
  );
  for (const named of ['billing', destinationId, `${receiver.url}/`]) {
    expect((await deliveries('--destination', named)).total).toBe(2);
  }
  expect(await deliveries('--state', 'pending', '--limit', '1', '--page', '2')).toMatchObject({
    data: [{ id: first.id, waits_for: 'retry' }],
    total: 2,
  });
  expect((await run('deliveries', 'list', 'orders', '--state', 'dead')).stderr).toBe(
    'No delivery of orders matches.\n',
  );
  expect((await run('deliveries', 'list', 'orders', '--destination', 'x')).stderr).toContain(
    'there is no destination "x"',
  );

  const shown = await run('deliveries', 'get', first.id);
  expect(shown.stdout).toMatch(new RegExp(`^id: +${first.id}\nevent: +${first.event_id}\n`));
  expect(shown.stdout).toContain(`destination: billing (${destinationId})\n`);
  expect(shown.stdout).toMatch(/^waits for: +retry 2\S+Z$/m);
  expect(shown.stdout).toMatch(/^# {2}TRIGGER +RESULT.*\n1 {2}capture +500 /m);
  const json = await run('deliveries', 'get', first.id, '--json');
  expect(json.json).toMatchObject({ ...first, attempts_made: [{ response_code: 500 }] });
});

test('deliveries are retried and cancelled; one that cannot be does not stop the others', async () => {
  const { run, shell, failed, deliveries, receiver } = await setup();
  const [first, second, third] = [await failed(), await failed(), await failed()];
  const cancelled = await run('deliveries', 'cancel', first.id);
  expect(cancelled).toMatchObject({ code: 0, stdout: `${first.id}: cancelled\n`, stderr: '' });

  receiver.respond = status(204);
  const mixed = await run('deliveries', 'retry', first.id, second.id, second.id);
  expect(mixed).toMatchObject({ code: 1, stdout: `${second.id}: queued\n` });
  expect(mixed.stderr).toContain(`${first.id}: `);
  expect(mixed.stderr).toContain('hookrelay: 1 delivery could not be retried\n');
  expect(mixed.stderr).toContain(`hint: hookrelay replay ${first.event_id}\n`);
  await until('it is through', async () => (await deliveries('--state', 'succeeded')).total === 1);

  await run('destinations', 'pause', 'orders', 'billing');
  const paused = await run('deliveries', 'retry', third.id, '--json');
  expect(paused).toMatchObject({ code: 1, stdout: '' });
  expect(paused.stderr).toMatch(
    /is paused\n {2}hint: hookrelay destinations resume ep_\w+ dst_\w+\n/,
  );
  const ended = await run('deliveries', 'cancel', third.id, second.id, '--json');
  expect(ended.lines).toEqual([{ id: third.id, cancelled: true }]);
  expect(ended).toMatchObject({ code: 1 });

  const stranger = await accountShell(server);
  for (const command of ['get', 'retry', 'cancel']) {
    const foreign = await stranger.run('deliveries', command, second.id);
    expect(foreign).toMatchObject({ code: 1, stdout: '' });
    expect(foreign.stderr).toContain('hookrelay: there is no such delivery\n');
  }
  const nobody = await hookrelay({ ...shell, home: tempDir(), token: 'hr_x' }, [
    ...['deliveries', 'retry', second.id, third.id],
  ]);
  expect(nobody.stderr.match(/hookrelay: /g)).toHaveLength(1);
});

test('attempts show both sides, and give the exact bytes', async () => {
  server.secrets.push('Bearer secret 5678');
  const { run, failed, receiver } = await setup();
  await run('destinations', 'edit', 'orders', 'billing', '--header', 'X-Key: Bearer secret 5678');
  receiver.respond = (_request, response) => {
    response.writeHead(500, { 'X-Reason': 'n\u00f6' }).end('line 1\nline \u001b[31m2');
  };
  const { event_id } = await failed();
  const [verbose, json, plain] = await Promise.all([
    run('events', 'attempts', event_id, '--verbose'),
    run('events', 'attempts', event_id, '--verbose', '--json'),
    run('events', 'attempts', event_id, '--json'),
  ]);
  expect(json.json).toEqual(plain.json);
  const [{ id }] = json.json;
  expect(verbose.stdout).toMatch(/^attempt: +1, capture\nid: +att_\w+\ndelivery: dlv_\w+\n/);
  expect(verbose.stdout).toMatch(/^request: POST\n( {2}\S+: .*\n)+ {2}\(body of 8 B: /m);
  expect(verbose.stdout).toContain('  X-Key: ********5678\n');
  expect(verbose.stdout).toContain(`(body of 8 B: hookrelay events raw ${id} >FILE)\n`);
  expect(verbose.stdout).toMatch(/^response: 500\n {2}X-Reason: .*\n/m);
  expect(verbose.stdout).toContain('\n\n  line 1\n  line 2\n');
  expect((await run('events', 'raw', id)).stdout).toBe('{"a": 1}');
  expect((await run('events', 'raw', id, '--json')).json).toMatchObject({ id, size: 8 });
  const stranger = await accountShell(server);
  expect((await stranger.run('events', 'raw', id)).stderr).toContain('there is no such attempt');
});
