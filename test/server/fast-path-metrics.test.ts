import { describe, expect, test } from 'vitest';
import { capture, register } from '../fixtures/account.ts';
import { runServer } from '../fixtures/running-server.ts';

describe.each([
  { fastPath: true, taken: 1 },
  { fastPath: false, taken: 0 },
])('with the fast path $fastPath', ({ fastPath, taken }) => {
  test('a capture is stored and counted in /metrics', async () => {
    const server = await runServer({ fastPath });
    const account = await register(server);
    const endpoint = await account.createEndpoint();
    await capture(endpoint.capture_url, 'hello');

    const { text } = await account.call('GET', '/metrics');

    expect(text).toContain(`\nhookrelay_fast_path_requests_total ${taken}\n`);
    expect(text).toMatch(/^hookrelay_captures_total 1$/m);
    const handedOver = Number(/handovers_total\{cause="route"\} (\d+)/.exec(text)?.[1]);
    expect(handedOver > 0).toBe(fastPath);
    const warned = server.logged.some(({ message }) => message.startsWith('the fast path is off'));
    expect(warned).toBe(!fastPath);
  });
});
