import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { until } from '../../fixtures/until.ts';
import { accountShell, hookrelay } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

const ok = { code: 0, stderr: '' };

/** An endpoint with a destination that takes events and one that doesn't, and an event. */
async function setup() {
  const { run, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const [good, bad] = [await httpReceiver(), await httpReceiver(status(500))];
  const add = ['destinations', 'add', 'orders'];
  await run(...add, `${good.url}/good`, '--name', 'good');
  await run(...add, `${bad.url}/bad`, '--name', 'bad', '--retry-schedule', '1h');
  const id = await capture(endpoint.capture_url, '{"n": 1}');
  await Promise.all([good.received(1), bad.received(1)]);
  return { run, account, endpoint, good, bad, id };
}

test('an event is replayed to the destinations that are named', async () => {
  const { run, good, bad, id } = await setup();
  const named = await run('replay', id, '--destination', 'good');
  expect(named).toMatchObject({ ...ok, stdout: `${id}: 1 delivery\n` });
  await good.received(2);
  const both = await run('replay', id, '--destination', `${good.url}/good`, '--destination', 'bad');
  expect(both).toMatchObject({ ...ok, stdout: `${id}: 2 deliveries\n` });
  await Promise.all([good.received(3), bad.received(2)]);
  const unknown = await run('replay', id, '--destination', 'nobody');
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toContain('there is no destination "nobody"');
});

test('an event is delivered once to a URL, which stands for the destination', async () => {
  const { run, id } = await setup();
  const once = await httpReceiver();
  const url = `${once.url}/once`;
  expect(await run('replay', id, '--to-url', url)).toMatchObject({
    ...ok,
    stdout: `${id}: 1 delivery\n`,
  });
  await once.received(1);
  const found = await until('it is delivered', async () => {
    const { data } = (await run('deliveries', 'list', 'orders', '--state', 'succeeded', '--json'))
      .json;
    return data.find((one: { destination_id: string | null }) => one.destination_id === null);
  });
  expect((await run('deliveries', 'list', 'orders')).stdout).toContain(
    `${found.id}  ${id}  ${url}  `,
  );
  expect((await run('deliveries', 'get', found.id)).stdout).toContain(
    `destination: ${url}, once\n`,
  );
  expect((await run('events', 'get', id)).stdout).toContain(
    `  succeeded, ${url}, 1 attempt, once\n`,
  );
  expect((await run('events', 'attempts', id)).stdout).toContain(`  ${url}`);
});

test('a bulk replay is started, listed, shown and cancelled', async () => {
  const { run, good, id } = await setup();
  const none = await run('replays', 'list', 'orders');
  expect(none).toMatchObject({ code: 0, stdout: '' });
  expect(none.stderr).toContain(
    'orders has no bulk replay. Start one: hookrelay replay --endpoint',
  );

  const done = await run('replay', '--endpoint', 'orders', '--destination', 'good', '--yes');
  const job = /^1 event queued as (job_\w+)\n$/.exec(done.stdout)?.[1] as string;
  expect(done.stderr).toBe(
    `  hint: hookrelay replays get orders ${job} --follow\n` +
      `        hookrelay replays cancel orders ${job}\n`,
  );
  await good.received(2);
  const followed = await run('replays', 'get', 'orders', job, '--follow', '--json');
  expect(followed.code).toBe(0);
  const end = { id: job, state: 'done', matching: 1, queued: 1, delivered: 1, dead: 0 };
  expect(followed.lines.at(-1)).toMatchObject(end);

  const held = await run(
    'replay',
    '--endpoint',
    'orders',
    '--destination',
    'bad',
    '--yes',
    '--json',
  );
  const open = held.json.job_id as string;
  await until('its delivery is queued', async () => {
    return (await run('replays', 'get', 'orders', open, '--json')).json.queued === 1;
  });
  const list = (await run('replays', 'list', 'orders')).stdout.split('\n');
  expect(list[0]).toMatch(/^ID +STATE +MATCHING +QUEUED +DELIVERED +DEAD +STARTED$/);
  expect(list[1]).toMatch(new RegExp(`^${open} +running +1 +1 +0 +0 `));
  expect(list[2]).toMatch(new RegExp(`^${job} +done +1 +1 +1 +0 `));
  const cancelled = await run('replays', 'cancel', 'orders', open);
  expect(cancelled).toMatchObject(ok);
  expect(cancelled.stdout).toMatch(/^state: +cancelled$/m);
  expect(
    (await run('deliveries', 'list', 'orders', '--state', 'pending', '--json')).json.total,
  ).toBe(0);
  // A job that is over stays as it is.
  expect((await run('replays', 'cancel', 'orders', job, '--json')).json.state).toBe('done');
  const late = await run('replays', 'get', 'orders', open, '--follow');
  expect(late).toMatchObject({ code: 1, stderr: 'hookrelay: the replay was cancelled\n' });
  expect(id).toMatch(/^evt_/);

  const missing = await run('replays', 'get', 'orders', 'job_00000000000000000000000000');
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing.stderr).toContain('  hint: hookrelay replays list orders\n');
});

test('what a filter dropped is replayed once it passes', async () => {
  const { run, endpoint } = await setup();
  const vip = await httpReceiver();
  await run('destinations', 'add', 'orders', vip.url, '--name', 'vip', '--filter', 'body.n=7');
  await capture(endpoint.capture_url, '{"n": 8}');
  await run('destinations', 'edit', 'orders', 'vip', '--filter', 'body.n=8');
  const filtered = ['replay', '--endpoint', 'orders', '--filtered-by', 'vip'];
  expect((await run(...filtered, '--yes')).stdout).toMatch(/^1 event queued as job_/);
  const [request] = await vip.received(1);
  expect(request?.body.toString()).toBe('{"n": 8}');
});

test('following shows each change, and goes on while the server is away', async () => {
  const job = { id: 'job_0001', state: 'running', matching: 9, created_at: '2026-01-31T12:00:00Z' };
  const answers = [
    { ...job, queued: 4, delivered: 1, dead: 0 },
    null,
    { ...job, queued: 4, delivered: 1, dead: 0 },
    { ...job, queued: 9, delivered: 7, dead: 1 },
    { ...job, state: 'done', queued: 9, delivered: 8, dead: 1 },
  ];
  const times: number[] = [];
  const api = await httpReceiver((request, res) => {
    const json = { 'content-type': 'application/json' };
    if (request.target === '/api/endpoints') {
      res.writeHead(200, json).end(JSON.stringify([{ id: 'ep_1', name: 'orders' }]));
      return;
    }
    times.push(request.at);
    const answer = answers[times.length - 1];
    if (answer) res.writeHead(200, json).end(JSON.stringify(answer));
    else res.writeHead(503, json).end('{"error": {"code": "not_ready", "message": "starting"}}');
  });
  const shell = { home: tempDir(), url: api.url, token: 'hr_x' };
  const followed = await hookrelay(shell, ['replays', 'get', 'orders', 'job_0001', '--follow']);
  expect(followed.stderr).toBe(
    'running: 1 of 4 deliveries delivered\nrunning: 7 of 9 deliveries delivered, 1 dead\n',
  );
  expect(followed.code).toBe(0);
  expect(followed.stdout).toMatch(/^state: +done\nmatching: +9 events\n/m);
  expect(times).toHaveLength(answers.length);
  const waits = times.slice(1).map((at, i) => at - (times[i] as number));
  // The try after the failure has the delay of reconnections.
  for (const [i, wait] of waits.entries()) if (i !== 1) expect(wait).toBeGreaterThanOrEqual(990);
});
