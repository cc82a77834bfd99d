import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { followEvents } from '../../../src/cli/streams/event-stream.ts';
import { reconnectDelay } from '../../../src/cli/streams/reconnect-delay.ts';
import type { StreamItem } from '../../../src/cli/streams/stream-item.ts';
import {
  isPassing,
  type StreamCaller,
  StreamedGet,
} from '../../../src/cli/streams/streamed-get.ts';
import { HookrelayError } from '../../../src/core/errors.ts';
import { until } from '../../fixtures/until.ts';

/** One connection of the client under test, as the scripted server sees it. */
interface Connection {
  headers: http.IncomingHttpHeaders;
  url: string;
  frame(event: string, id: string, data?: object): void;
  comment(text?: string): void;
  /** Ends the stream the way a server ends one that is over. */
  end(): void;
  /** Breaks the connection. */
  cut(): void;
}

type Script = (connection: Connection, number: number, res: http.ServerResponse) => void;

/** A server that handles each connection as the test says. */
async function scripted(script: Script): Promise<{ url: string; connections: Connection[] }> {
  const connections: Connection[] = [];
  const server = http.createServer((req, res) => {
    const connection: Connection = {
      headers: req.headers,
      url: req.url as string,
      frame: (event, id, data = {}) =>
        res.write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`),
      comment: (text = '') => res.write(`:${text}\n\n`),
      end: () => res.end(),
      cut: () => res.destroy(),
    };
    connections.push(connection);
    script(connection, connections.length, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections };
}

interface Followed {
  items: StreamItem[];
  of(kind: StreamItem['kind']): StreamItem[];
  /** Resolves when there are this many of a kind. */
  got(kind: StreamItem['kind'], count?: number): Promise<void>;
  /** The error that ended it, or undefined. */
  ended: Promise<unknown>;
}

interface FollowSettings {
  caller?: Partial<StreamCaller>;
  query?: { from?: string; where?: string; type?: string };
  silenceMs?: number;
  monotonicMs?: () => number;
}

/** Follows the stream in this process, until the test ends. */
function follow(url: string, { caller, ...settings }: FollowSettings = {}): Followed {
  const controller = new AbortController();
  const get = new StreamedGet({
    url,
    authorization: () => 'Bearer t',
    refresh: async () => {},
    refreshToken: 'r',
    ...caller,
  });
  const items: StreamItem[] = [];
  const run = async () => {
    const options = { endpointId: null, signal: controller.signal, random: () => 1 };
    for await (const item of followEvents(get, { ...options, ...settings })) items.push(item);
  };
  const ended = run().then(
    () => undefined,
    (error: unknown) => error,
  );
  onTestFinished(async () => {
    controller.abort();
    await ended;
    await get.close();
  });
  const of = (kind: StreamItem['kind']) => items.filter((item) => item.kind === kind);
  return {
    items,
    of,
    ended,
    async got(kind, count = 1) {
      await until(`${count} × ${kind}`, () => of(kind).length >= count);
    },
  };
}

const event = (id: string, receivedAt = Date.now()) => ({
  id,
  received_at: new Date(receivedAt).toISOString(),
});

test('the first connection reports that it is ready, and begins at a time', async () => {
  const { url, connections } = await scripted((connection) => {
    connection.frame('ready', 'g.0.0');
    connection.frame('event', 'g.1.0', event('evt_1'));
    connection.frame('attempt', 'g.1.1', { id: 'att_1' });
    connection.frame('unheard-of', 'g.1.2');
  });
  const followed = follow(url, { query: { from: '2026-01-31T12:00:00.000Z' } });
  await followed.got('attempt');
  expect(followed.items.map(({ kind }) => kind)).toEqual(['ready', 'event', 'attempt']);
  expect(connections[0]?.url).toBe('/api/stream?from=2026-01-31T12%3A00%3A00.000Z');
  expect(connections[0]?.headers['last-event-id']).toBeUndefined();
  expect(connections[0]?.headers.authorization).toBe('Bearer t');
});

test('a lost connection resumes at the last cursor and marks missed events', async () => {
  const { url, connections } = await scripted((connection, number) => {
    connection.frame('ready', 'g.0.0');
    if (number === 1) {
      connection.frame('event', 'g.1.0', event('evt_1'));
      connection.frame('unheard-of', 'g.1.5');
      setImmediate(connection.cut);
      return;
    }
    connection.frame('event', 'g.2.5', event('evt_2'));
    connection.frame('attempt', 'g.2.6', { id: 'att_1' });
    connection.frame('event', 'g.3.6', event('evt_3'));
    // A busy server may be silent for any time before it goes on.
    const begunAt = Date.now();
    setTimeout(() => {
      connection.frame('event', 'g.4.6', event('evt_4', begunAt));
      connection.comment(' caught up');
    }, 500);
  });
  const followed = follow(url);
  await followed.got('reconnected');
  expect(connections[1]?.headers['last-event-id']).toBe('g.1.5');
  expect(followed.items.map(({ kind }) => kind)).toEqual([
    ...['ready', 'event', 'disconnected', 'event', 'attempt', 'event', 'event', 'reconnected'],
  ]);
  expect(followed.items.at(-1)).toMatchObject({ missedEvents: 3, missedAttempts: 1 });
});

test('under constant load, missed events end where the connection begins', async () => {
  const { url } = await scripted((connection, number) => {
    connection.frame('ready', 'g.0.0');
    if (number === 1) {
      setImmediate(connection.cut);
      return;
    }
    const now = Date.now();
    connection.frame('event', 'g.1.0', event('evt_1', now - 60_000));
    connection.frame('event', 'g.2.0', event('evt_2', now - 1000));
    connection.frame('event', 'g.3.0', event('evt_3', now + 5000));
  });
  const followed = follow(url);
  await followed.got('event', 3);
  expect(followed.items.map(({ kind }) => kind)).toEqual([
    ...['ready', 'disconnected', 'event', 'event', 'reconnected', 'event'],
  ]);
  expect(followed.of('reconnected')[0]).toMatchObject({ missedEvents: 2 });
});

test('a repeated event is given once', async () => {
  const { url } = await scripted((connection, number) => {
    connection.frame('ready', 'g.0.0');
    connection.frame('event', 'g.1.0', event('evt_1'));
    connection.frame('event', `g.${number + 1}.0`, event(`evt_${number + 1}`));
    if (number === 1) setImmediate(connection.cut);
    else connection.comment(' caught up');
  });
  const followed = follow(url);
  await followed.got('reconnected');
  expect(followed.of('event').map((item) => item.kind === 'event' && item.event.id)).toEqual([
    ...['evt_1', 'evt_2', 'evt_3'],
  ]);
  expect(followed.of('reconnected')[0]).toMatchObject({ missedEvents: 1 });
});

test('a connection without a byte is dead; comments keep it alive', async () => {
  // Longer than it takes to notice silence: undici checks twice a second.
  const all = 20;
  let comments = 0;
  const { url } = await scripted((connection, number) => {
    connection.frame('ready', 'g.0.0');
    if (number > 1) return;
    const beat = setInterval(() => {
      connection.comment();
      if (++comments === all) clearInterval(beat);
    }, 50);
  });
  const followed = follow(url, { silenceMs: 400 });
  await followed.got('disconnected');
  expect(comments).toBe(all);
});

test('a stream that the server ended is reopened silently', async () => {
  const { url, connections } = await scripted((connection, number) => {
    connection.frame('ready', 'g.0.0');
    if (number > 1) connection.frame('event', 'g.1.0', event('evt_1'));
  });
  let now = 0;
  const followed = follow(url, { monotonicMs: () => now });
  await followed.got('ready');
  // An immediate end would look like a server that shuts down.
  now = 1000;
  connections[0]?.end();
  await followed.got('event');
  expect(connections[1]?.headers['last-event-id']).toBe('g.0.0');
  expect(followed.items.map(({ kind }) => kind)).toEqual(['ready', 'event']);
});

test('streams that end at once are reopened slowly', async () => {
  const { url, connections } = await scripted((connection) => {
    connection.frame('ready', 'g.0.0');
    connection.end();
  });
  const followed = follow(url);
  await followed.got('disconnected', 2);
  expect(connections.length).toBeLessThanOrEqual(3);
});

test('an expired access token is refreshed once', async () => {
  let token = 'old';
  const { url, connections } = await scripted((connection, _number, res) => {
    if (connection.headers.authorization === 'Bearer old') {
      res.writeHead(401).end('{"error":{"code":"token_expired","message":"expired"}}');
      return;
    }
    connection.frame('ready', 'g.0.0');
  });
  const followed = follow(url, {
    caller: {
      authorization: () => `Bearer ${token}`,
      refresh: async () => {
        token = 'new';
      },
    },
  });
  await followed.got('ready');
  expect(connections.length).toBe(2);
});

test('a different database is reported', async () => {
  const { url } = await scripted((connection, number) => {
    connection.frame(number === 1 ? 'ready' : 'reset', `g${number}.0.0`);
    if (number === 1) setImmediate(connection.cut);
    else connection.frame('event', 'g2.1.0', event('evt_1'));
  });
  const followed = follow(url);
  await followed.got('event');
  expect(followed.items.map(({ kind }) => kind)).toEqual([
    ...['ready', 'disconnected', 'reset', 'event'],
  ]);
});

const refused = (status: number, code: string): Script => {
  return (_connection, _number, res) => {
    res.writeHead(status).end(JSON.stringify({ error: { code, message: 'no' } }));
  };
};

describe('the first connection', () => {
  test.each([
    [503, 'overloaded'],
    [404, 'endpoint_not_found'],
    [401, 'invalid_token'],
  ])('answered %i %s, throws', async (status, code) => {
    const { url } = await scripted(refused(status, code));
    const error = await follow(url, { caller: { refreshToken: null } }).ended;
    expect(error).toBeInstanceOf(HookrelayError);
    expect(error).toMatchObject({ code });
  });

  test('to an unused port throws', async () => {
    const { url } = await scripted(() => {});
    const error = await follow(url.replace(/\d+$/, '9')).ended;
    expect(error).toMatchObject({ code: 'server_unreachable' });
  });

  test('throws with all that the API said', async () => {
    const issues = ['from', 'to'].map((path) => ({ path, message: 'must be a time' }));
    const { url } = await scripted((_connection, _number, res) => {
      const error = { code: 'invalid_input', message: 'from: must be a time', issues };
      res.writeHead(400).end(JSON.stringify({ error: { ...error, request_id: 'req_7' } }));
    });
    expect(await follow(url).ended).toMatchObject({
      ...{ code: 'invalid_input', issues },
      message: 'from: must be a time (req_7); to: must be a time',
    });
  });

  test('names the other address of the server', async () => {
    const { url } = await scripted((_connection, _number, res) => {
      res.writeHead(308, { location: 'https://hooks.example.com/api/stream' }).end();
    });
    expect(await follow(url).ended).toMatchObject({
      ...{ code: 'api_error', hint: 'try --url https://hooks.example.com' },
    });
  });

  test('to a server that is not hookrelay throws', async () => {
    const { url } = await scripted((_connection, _number, res) => {
      res.writeHead(404).end('<h1>Not Found</h1>');
    });
    expect(await follow(url).ended).toMatchObject({ code: 'api_error' });
  });
});

describe('a later connection', () => {
  const brokenAfterwards = (then: Script): Script => {
    return (connection, number, res) => {
      if (number > 1) {
        then(connection, number, res);
        return;
      }
      connection.frame('ready', 'g.0.0');
      setImmediate(connection.cut);
    };
  };

  test('is retried as long as the failure may pass', async () => {
    const { url, connections } = await scripted(
      brokenAfterwards((connection, number, res) => {
        if (number === 2) refused(503, 'storage_unavailable')(connection, number, res);
        else if (number === 3) res.writeHead(502).end('<h1>Bad Gateway</h1>');
        else {
          connection.frame('ready', 'g.0.0');
          connection.comment(' caught up');
        }
      }),
    );
    const followed = follow(url);
    await followed.got('reconnected');
    expect(connections.length).toBe(4);
    expect(followed.of('disconnected').length).toBe(1);
  });

  test('throws when waiting cannot help', async () => {
    const { url } = await scripted(brokenAfterwards(refused(404, 'endpoint_not_found')));
    expect(await follow(url).ended).toMatchObject({ code: 'endpoint_not_found' });
  });
});

test.each([
  ...['not_ready', 'overloaded', 'storage_full', 'storage_unavailable', 'rate_limited'],
] as const)('%s is a passing failure', (code) => {
  expect(isPassing(new HookrelayError(code, 'no'))).toBe(true);
});

test.each([
  [0, 0, 250],
  [0, 1, 125],
  [1, 0, 500],
  [5, 0, 8000],
  [6, 0, 10_000],
  [6, 1, 5000],
  [1_000_000, 0, 10_000],
])('after %i failures, with chance %d, the delay is %i ms', (failures, random, delay) => {
  expect(reconnectDelay(failures, random)).toBe(delay);
});
