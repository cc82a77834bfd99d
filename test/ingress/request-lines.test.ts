import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointAnswer } from '../../src/api/endpoints/endpoint-answer.ts';
import { type Account, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect, type RawConnection } from '../fixtures/raw-connection.ts';
import { serverOfFile } from '../fixtures/running-server.ts';

/*
 * What a request may ask for: the Hosts, targets and methods that the front door lets
 * through, and what it refuses. The bytes go over a raw socket, as no HTTP client would
 * send them.
 */

failOnLeaks();
const server = serverOfFile();

let account: Account;
let endpoint: EndpointAnswer;
/** Its capture path. */
let hook: string;

beforeAll(async () => {
  account = await register(server);
  endpoint = await account.createEndpoint();
  hook = `/in/${endpoint.public_token}`;
});

const stored = async () => (await account.list(endpoint)).total;

/** Sends one request (or something like one) and waits for the verdict. */
async function send(bytes: string): Promise<RawConnection> {
  const connection = await connect(server.port);
  connection.send(bytes);
  await connection.status();
  return connection;
}

/** Errors logged since `from` lines. */
const errorsSince = (from: number) =>
  server.logged.slice(from).filter(({ level }) => level === 'error');

describe('Host', () => {
  test('two of them answer 400', async () => {
    const before = await stored();
    for (const hosts of [
      'host: localhost\r\nhost: localhost',
      'Host: x\r\nHOST: y',
      'host: localhost\r\na: b\r\nhost:',
    ]) {
      const connection = await send(`GET ${hook} HTTP/1.1\r\n${hosts}\r\n\r\n`);
      expect([hosts, connection.statuses]).toEqual([hosts, [400]]);
      expect(connection.received, hosts).toContain('"invalid_target"');
    }
    expect(await stored()).toBe(before);
  });

  const withHost = (host: string) =>
    `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;

  test('one that is none answers 400', async () => {
    for (const host of [
      ...['a/b', 'a b', 'a@b', 'a?b', 'a#b', 'a,b', '[::1', '::1', '[x]', 'a:b', 'a:123456', ':80'],
      ...['a\\b', '<script>', 'http://a', 'a:80:80', 'ä', "a'b", 'a%00b', ''],
    ]) {
      const connection = await send(Buffer.from(withHost(host)).toString('latin1'));
      expect([host, connection.statuses]).toEqual([host, [400]]);
      expect(connection.received, host).toContain('"invalid_target"');
    }
  });

  test('one that is a name or an address is accepted, with a port or without', async () => {
    for (const host of [
      ...['a', 'hooks.example.com', 'a_b:8484', '127.0.0.1:1', '[::1]', '[::1]:80', 'A.b-c~d'],
    ]) {
      expect([host, (await send(withHost(host))).statuses]).toEqual([host, [200]]);
    }
  });

  test('HTTP/1.0 needs none', async () => {
    expect((await send('GET /healthz HTTP/1.0\r\n\r\n')).statuses).toEqual([200]);
  });

  test('does not change any shown URL', async () => {
    const headers = { 'x-forwarded-host': 'evil.example' };
    const answer = await account.call('GET', '/api/endpoints', undefined, { headers });
    expect(answer.json[0].capture_url).toBe(endpoint.capture_url);
    expect(answer.text).not.toContain('evil');
  });
});

describe('the target', () => {
  const get = (target: string) =>
    `GET ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${account.authorization}\r\nconnection: close\r\n\r\n`;

  test('that a URL parser would rewrite or refuse answers 400', async () => {
    const logged = server.logged.length;
    for (const target of [
      ...[
        '//x',
        '//healthz',
        '//api/me',
        '/\\x',
        '/\\..',
        '/\\[',
        '/\\@',
        '/\\x:99999/',
        '\\api\\me',
      ],
      ...['/..', '/../api/me', '/api/../api/me', '/./api/me', '/api/.', '/api/..'],
      ...['/%2e%2e/api/me', '/api/%2E%2e/api/me', '/api/.%2e/me', '/%2e/api/me', '/api\\me'],
      ...['/api/x\\..\\me', 'http://x/api/me', 'https://x/api/me', 'file://x?/api/me', 'x', '*'],
      ...['x:80', '?a', '#', '/api/me#x', '/api/me?a=%zz', '/api/%zz', '/api/%', '/api/%f'],
      ...['/api/me?%ff', '/%c0%ae/', '/api/"me"', '/api/<me>', '/api/{id}', '/api/`me`'],
    ]) {
      const connection = await send(get(target));
      expect([target, connection.statuses]).toEqual([target, [400]]);
      expect(connection.received, target).toContain('"error":{"code":"invalid_');
    }
    expect(errorsSince(logged)).toEqual([]);
  });

  test('that is another than a route answers 404', async () => {
    for (const target of [
      ...['/api/%252e%252e/api/me', '/%252e%252e/healthz', '/api/%61%70%69', '/API/me'],
      ...['/api/me/', '/api/me/?x', '/%61pi/me', '/api/%6de', '/healthz/', '/api/endpoints/'],
      ...['/api;/me', '/api/me;x', '/api%2fme', '/api%2Fme', '/api/%00', '/api//me', '/api/me//'],
      ...['/in', '/in?x', '/IN/x', '/%69n/x', '/in%2fx'],
    ]) {
      const connection = await send(get(target));
      expect([target, connection.statuses]).toEqual([target, [404]]);
      expect(connection.received, target).not.toContain(account.email);
    }
  });

  test('routes and access checks see the same path: no form of it skips the token', async () => {
    const forms = ['/api/me', '/api/me?', '/api/me?/healthz', '/api/me?x=/'];
    for (const target of forms) {
      const bare = get(target).replace(/authorization: .*\r\n/, '');
      expect((await send(bare)).statuses, target).toEqual([401]);
    }
  });

  test('a path has one form for every method, and any other answers 404', async () => {
    for (const target of ['/api/me/', '/api/%6de', '/healthz/', `/api/endpoints/${endpoint.id}/`]) {
      for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']) {
        expect([target, method, (await account.call(method, target)).status]).toEqual([
          target,
          method,
          404,
        ]);
      }
    }
    expect((await account.call('POST', '/api/me')).status).toBe(405);
  });

  test('that is no capture URL below /in answers 404', async () => {
    for (const target of [
      ...['/in/../api/me', '/in/..', '/in/%2e%2e/api/me', '/in/./x', '/in//x', '/in/', '/in/?x'],
      ...['/in/a%2fb', `/in/${'a'.repeat(65)}`],
    ]) {
      const connection = await send(get(target));
      expect([target, connection.statuses]).toEqual([target, [404]]);
      expect(connection.received, target).toContain('"endpoint_not_found"');
    }
  });

  test('is stored by capture unchanged', async () => {
    for (const rest of [
      ...['/../../api/me', '/%2e%2e/x', '/%zz', '/%', '//', '//x', '/\\..', '/;x', '/a%00b'],
      ...['/%ff', '/"<>`{}|^', '?a=%zz', '?a=b?c', '?', '/x?', '?%', '/#x', '?a#b'],
    ]) {
      const connection = await send(get(hook + rest));
      expect([rest, connection.statuses]).toEqual([rest, [200]]);
      const id = /x-hookrelay-event-id: (\S+)/.exec(connection.received)?.[1] as string;
      const event = await account.event(endpoint, id);
      expect(event.path + (rest.includes('?') ? `?${event.query}` : '')).toBe(rest);
    }
  });
});

describe('methods', () => {
  test('TRACE is not captured and answers 405 with the allowed methods', async () => {
    const before = await stored();
    const connection = await send(`TRACE ${hook} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    expect(connection.statuses).toEqual([405]);
    expect(connection.received).toMatch(/\r\nallow: [^\r]*POST/i);
    expect(await stored()).toBe(before);
  });

  test('CONNECT gets no tunnel and stores nothing', async () => {
    const before = await stored();
    for (const target of [hook, 'x:80']) {
      const connection = await connect(server.port);
      connection.send(`CONNECT ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      await connection.closedByServer();
      expect(connection.statuses.filter((code) => code < 400)).toEqual([]);
    }
    expect(await stored()).toBe(before);
  });

  test('HEAD answers as GET does, without the body', async () => {
    for (const path of ['/healthz', '/api/endpoints']) {
      const get = await account.call('GET', path);
      const head = await account.call('HEAD', path);
      expect([path, head.status]).toEqual([path, get.status]);
      expect(head.body).toHaveLength(0);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    }
  });
});
