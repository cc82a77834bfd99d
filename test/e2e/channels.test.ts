import { randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newChannel } from '../../src/api/channels/new-channel.ts';
import type { Channel } from '../../src/core/channels/channel.ts';
import { channelMessage } from '../../src/core/channels/channel-message.ts';
import { testNotice } from '../../src/core/channels/channel-notices.ts';
import { newId } from '../../src/core/ids.ts';
import { systemClock } from '../../src/core/runtime/runtime.ts';
import { Keys } from '../../src/core/secrets/keys.ts';
import { loadSecret } from '../../src/core/secrets/secret-key.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { ofSettled } from '../../src/store/sqlite/deliveries/settled-deliveries.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { capture, expectStatus, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { mailServer, reply } from '../fixtures/mail-server.ts';
import { httpReceiver, type Received, status } from '../fixtures/receiver.ts';
import { runServer, tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { until } from '../fixtures/until.ts';

failOnLeaks();

const MOST = 20;
const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const NOTICE = { baseUrl: 'https://hooks.example.com', now: Date.now() };

/** Works on the data of a server that doesn't run. */
async function onData<T>(dataDir: string, work: (store: Store, keys: Keys) => Promise<T>) {
  const onFatal = (error: unknown) => {
    throw error;
  };
  const store = await openSqliteStore({ dataDir, clock: systemClock, log: silentLog, onFatal });
  try {
    return await work(store, new Keys(loadSecret(dataDir, null)));
  } finally {
    await store.close();
  }
}

/** Data with an account and a channel. */
async function withChannel(
  chosen: Pick<Channel, 'type' | 'target'>,
): Promise<{ dataDir: string; channel: Channel }> {
  const dataDir = tempDir();
  const channel = await onData(dataDir, async (store, keys) => {
    await store.claimSecret(keys.checkValue);
    const userId = newId('usr', Date.now());
    const email = 'ada@example.com';
    await store.accounts.createUser({
      ...{ id: userId, email, passwordHash: 'x', plan: 'free', createdAt: 0 },
    });
    return addChannel(store, keys, userId, chosen);
  });
  return { dataDir, channel };
}

async function addChannel(
  { channels }: Store,
  keys: Keys,
  userId: string,
  { type, target }: Pick<Channel, 'type' | 'target'>,
): Promise<Channel> {
  const secret = type === 'webhook' ? SECRET : null;
  const all = { kinds: null, endpointIds: null };
  const { channel } = newChannel({ userId, type, target, ...all, secret }, keys, Date.now());
  return channels.add({ ...channel, confirmedAt: Date.now() }, MOST);
}

const queueTests = (dataDir: string, channel: Channel, count = 1) =>
  onData(dataDir, async ({ issues }) => {
    const messages = Array.from({ length: count }, () =>
      channelMessage(channel, testNotice(channel, NOTICE)),
    );
    await issues.queue(messages);
    return messages;
  });

function rows<T>(dataDir: string, sql: string): T[] {
  const db = new Database(`${dataDir}/hookrelay.db`, { readonly: true });
  try {
    return db.prepare<[], T>(sql).all();
  } finally {
    db.close();
  }
}

test('a dead delivery is told to a webhook, signed, with what to do', async () => {
  const ops = await httpReceiver();
  const billing = await httpReceiver(status(503));
  const server = await runServer({ retryAttempts: 2 });
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, `${billing.url}/?token=cafebabe00`);
  const chosen = { type: 'webhook', url: `${ops.url}/alerts`, secret: SECRET };
  expectStatus(201, await account.call('POST', '/api/channels', chosen));
  server.secrets.push(SECRET);
  const id = await capture(endpoint.capture_url, 'x');
  const [request] = (await ops.received(1)) as [Received];
  expect(request).toMatchObject({ method: 'POST', target: '/alerts' });
  const headers = request.headers as Record<string, string>;
  const message = new Webhook(SECRET).verify(request.body.toString(), headers);
  expect(message).toMatchObject({
    type: 'issue.opened',
    timestamp: expect.any(String),
    data: {
      kind: 'delivery',
      state: 'open',
      title: expect.stringMatching(/ answers 503$/),
      cause: expect.stringContaining('503'),
      suggestion: expect.stringContaining(`hookrelay replay ${id}`),
      event_ids: [id],
    },
  });
  expect(headers['idempotency-key']).toMatch(/^msg_/);
  // The channel is another party: the destination's URL may be a key.
  expect(request.body.toString()).not.toContain('cafebabe00');
});

test('Slack gets blocks without a signature', async () => {
  const slack = await httpReceiver();
  const target = `${slack.url}/services/T0/B0/s3cr3t`;
  const { dataDir, channel } = await withChannel({ type: 'slack', target });
  await queueTests(dataDir, channel);
  await runServer({ dataDir });
  const [request] = (await slack.received(1)) as [Received];
  expect(request.target).toBe('/services/T0/B0/s3cr3t');
  expect(request.headers['content-type']).toBe('application/json');
  expect(request.headers['webhook-signature']).toBeUndefined();
  expect(JSON.parse(request.body.toString())).toMatchObject({
    text: 'A test of this channel',
    blocks: [{ type: 'header' }, { type: 'section' }, { type: 'context' }],
  });
});

describe('e-mail', () => {
  const smtp = (port: number) => ({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    smtpFrom: 'Alerts <alerts@example.com>',
  });

  test('is retried after a 4xx, with the same Message-ID', async () => {
    const ids: (string | undefined)[] = [];
    const server = await mailServer({}, ({ headers }) => {
      ids.push(headers.get('message-id'));
      return ids.length === 1 ? reply(451, 'greylisted') : null;
    });
    const { dataDir, channel } = await withChannel({ type: 'email', target: 'ada@example.com' });
    await queueTests(dataDir, channel);
    const running = await runServer({ dataDir, ...smtp(server.port) });
    await until('it arrives', () => server.received.length === 1);
    expect(server.received[0]?.to).toEqual(['ada@example.com']);
    expect(server.received[0]?.headers.get('subject')).toBe('[hookrelay] A test of this channel');
    expect(new Set(ids).size).toBe(1);
    await running.stop();
    expect(rows(dataDir, 'SELECT number, response_code FROM attempts ORDER BY seq')).toEqual([
      { number: 1, response_code: 451 },
      { number: 2, response_code: 250 },
    ]);
  });

  test('that is refused for good is dead, and an alert about the channel opens', async () => {
    let tries = 0;
    const server = await mailServer({
      onRcptTo(_address, _session, done) {
        tries += 1;
        done(reply(550, 'no such user'));
      },
    });
    const { dataDir, channel } = await withChannel({ type: 'email', target: 'eve@example.com' });
    await queueTests(dataDir, channel);
    const running = await runServer({ dataDir, ...smtp(server.port) });
    const alerts = 'SELECT subject, told FROM issues WHERE kind = 6 AND told IS NOT NULL';
    await until('the alert is told', () => rows(dataDir, alerts).length === 1);
    await running.stop();
    expect(rows(dataDir, alerts)).toMatchObject([{ subject: 'http_550' }]);
    // Nobody was left to tell: the alert made no message, and no second try.
    expect(tries).toBe(1);
    expect(rows(dataDir, 'SELECT 1 FROM events')).toHaveLength(1);
  });
});

test('a message that is captured twice is delivered once', async () => {
  const ops = await httpReceiver();
  const { dataDir, channel } = await withChannel({ type: 'webhook', target: ops.url });
  const [message] = await queueTests(dataDir, channel);
  const first = await runServer({ dataDir });
  await ops.received(1);
  const waiting = 'SELECT 1 FROM channel_messages';
  await until('it is noted', () => rows(dataDir, waiting).length === 0);
  await first.stop();
  // As after a crash between the capture and its note.
  await onData(dataDir, ({ issues }) => issues.queue([message as NonNullable<typeof message>]));
  const second = await runServer({ dataDir });
  await until('it is noted', () => rows(dataDir, waiting).length === 0);
  await second.stop();
  expect(rows(dataDir, 'SELECT 1 FROM events')).toHaveLength(2);
  expect(
    rows(
      dataDir,
      ofSettled((table) => `SELECT 1 FROM ${table}`),
    ),
  ).toHaveLength(1);
  expect(ops.requests).toHaveLength(1);
});

test('kill -9 while messages are captured loses none and makes none of them two', async () => {
  // More than two slices of 50.
  const MESSAGES = 110;
  const { dataDir, channel } = await withChannel({
    type: 'webhook',
    target: (await httpReceiver()).url,
  });
  const target = await httpReceiver((_request, res) => {
    // The first message is out: others are captured or wait.
    if (target.requests.length === 1) first.kill('SIGKILL');
    res.end('ok');
  });
  await onData(dataDir, ({ channels }) =>
    channels.update(channel.userId, channel.id, { target: target.url, url: target.url }),
  );
  const messages = await queueTests(dataDir, channel, MESSAGES);
  const flags = ['--allow-private-destinations', '--retry-base', '50ms', '--log-format', 'json'];
  const first = await serveIn(dataDir, flags);
  await first.exited();
  const second = await serveIn(dataDir, flags);
  const idsOf = () =>
    new Map(
      target.requests.map(({ headers }) => [headers['idempotency-key'], headers['webhook-id']]),
    );
  await until('all arrive', () => idsOf().size === MESSAGES);
  second.kill('SIGTERM');
  await second.exited();
  expect([...idsOf().keys()].sort()).toEqual(messages.map(({ id }) => id).sort());
  // Of each message, all repeats are of one event.
  const pairs = target.requests.map(({ headers }) =>
    [headers['idempotency-key'], headers['webhook-id']].join(' '),
  );
  expect(new Set(pairs).size).toBe(MESSAGES);
});
