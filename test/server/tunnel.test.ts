import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callApi, register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { serveHere, spawnHere, spawnServe } from '../fixtures/served-process.ts';
import { standInCloudflared } from '../fixtures/stand-in-cloudflared.ts';
import { until } from '../fixtures/until.ts';

/* `serve --tunnel`: cloudflared is run, never fetched, and a start without it leaves nothing. */

const FLAGS = ['--port', '0', '--tunnel'];

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a machine without cloudflared gets instructions, and nothing is downloaded', async () => {
  const [dataDir, temporary] = [tempDir(), tempDir()];
  const env = { PATH: tempDir(), TMPDIR: temporary };
  const served = spawnServe([...FLAGS, '--data-dir', dataDir], env);
  expect(await served.exited()).toEqual({ code: 1, signal: null });
  expect(JSON.parse(served.stderr)).toMatchObject({
    level: 'error',
    msg: '--tunnel needs cloudflared, which is not installed',
    code: 'tunnel_failed',
    hint: expect.stringContaining('https://github.com/cloudflare/cloudflared/releases'),
  });
  expect(served.stdout).toBe('');
  expect(readdirSync(temporary)).toEqual([]);
  // No process holds the directory: the next start succeeds.
  await serveHere(dataDir);
});

test('a failing cloudflared is quoted, and the start ends', async () => {
  const { path } = standInCloudflared('fails');
  const served = spawnHere([...FLAGS, '--data-dir', tempDir(), '--log-format', 'pretty'], {
    PATH: path,
  });
  expect(await served.exited()).toEqual({ code: 1, signal: null });
  expect(served.stderr).toContain('the tunnel did not open: cloudflared ended with exit code 1');
  expect(served.stderr).toContain('failed to request quick Tunnel: no such host');
  expect(served.stderr).toMatch(/hint: .*--tunnel/);
});

test.each(['opens', 'stays'] as const)(
  'the tunnel’s address is the server’s own; the drain ends a cloudflared that %s',
  async (way) => {
    const cloudflared = standInCloudflared(way);
    const served = await serveHere(tempDir(), ['--tunnel'], { PATH: cloudflared.path });
    const pid = cloudflared.pid() as number;
    expect(cloudflared.args()).toBe(`tunnel --no-autoupdate --url ${served.url}`);
    const account = await register(served);
    expect((await account.createEndpoint()).capture_url).toMatch(
      /^https:\/\/quick-brown-fox\.trycloudflare\.com\/in\//,
    );
    served.kill('SIGTERM');
    expect(await served.exited()).toEqual({ code: 0, signal: null });
    expect(served.stderr).toContain('"stopped"');
    await until('cloudflared has ended', () => !isAlive(pid));
  },
);

test('a tunnel’s end is logged, and the server goes on', async () => {
  const cloudflared = standInCloudflared('opens');
  const served = await serveHere(tempDir(), ['--tunnel'], { PATH: cloudflared.path });
  process.kill(cloudflared.pid() as number, 'SIGKILL');
  await until('it is logged', () => served.stderr.includes('the tunnel ended'));
  expect((await callApi(served, 'GET', '/readyz')).status).toBe(200);
});

test('while the tunnel opens, readiness fails and the first signal ends the process', async () => {
  const cloudflared = standInCloudflared('hangs');
  const served = spawnServe([...FLAGS, '--data-dir', tempDir()], { PATH: cloudflared.path });
  const pid = await until('cloudflared runs', () => cloudflared.pid());
  const [, origin = ''] = /--url (\S+)/.exec(cloudflared.args()) ?? [];
  const answer = await request(`${origin}/readyz`);
  expect([answer.status, answer.text]).toEqual([
    503,
    expect.stringContaining('the server is starting'),
  ]);
  served.kill('SIGTERM');
  expect(await served.exited()).toEqual({ code: 0, signal: null });
  expect(served.stderr).toContain('stopped before it was ready');
  await until('cloudflared has ended', () => !isAlive(pid));
});
