import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { serveIn, spawnServe } from '../../fixtures/served-process.ts';
import { until } from '../../fixtures/until.ts';
import { openAccount } from './open-account.ts';
import { openPage, rows, signUp } from './open-page.ts';

/* The connection goes away and comes back; what happened meanwhile is there, once. */

const server = serverOfFile();

test('no event is lost or doubled when the server is killed and restarted', async () => {
  const dataDir = tempDir();
  const first = await serveIn(dataDir);
  const { page } = await openPage(first.url, {
    expected:
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/,
  });
  const { captureUrl } = await signUp(page);
  const sent: string[] = [];
  for (let i = 0; i < 10; i++) sent.push(await capture(`${captureUrl}/before/${i}`));
  await page.getByText('10 events').waitFor();

  const { port } = first;
  first.kill('SIGKILL');
  await first.exited();
  await page.locator('.connection.is-offline').waitFor();
  expect(await page.locator('.connection').textContent()).toBe('reconnecting');

  const second = spawnServe(['--port', String(port), '--data-dir', dataDir]);
  await second.ready();
  for (let i = 0; i < 10; i++) sent.push(await capture(`${captureUrl}/after/${i}`));
  await page.locator('.connection.is-live').waitFor();
  await page.getByText('20 events').waitFor();
  const shown = await rows(page).evaluateAll((all) => all.map((one) => one.id.replace('row-', '')));
  expect(shown).toEqual(sent.toReversed().slice(0, shown.length));
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown.length).toBe(20);

  await capture(`${captureUrl}/live-again`);
  await page.getByRole('option', { name: '/live-again' }).waitFor();
  await page.getByText('21 events').waitFor();
});

test('the page recovers from a dead connection after sleep', async () => {
  const relay = await relayTo(server.port);
  // Before any script runs: the test later sets the page's clock forward, as sleep
  // does.
  const { page, captureUrl } = await openAccount(
    { ...server, url: relay.url },
    {
      prepare: (page) => page.clock.install(),
      // A request may be under way where connections are closed.
      expected: /ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/,
    },
  );
  await capture(captureUrl);
  await page.getByText('1 event', { exact: true }).waitFor();

  relay.freeze();
  let last = '';
  for (let i = 0; i < 5; i++) last = await capture(`${captureUrl}/${i}`);
  await until('the server has sent them all to the silent stream', () =>
    relay.held().includes(last),
  );
  await page.clock.fastForward(60_000);
  await page.getByText('6 events').waitFor();
  await page.locator('.connection.is-live').waitFor();
  await capture(`${captureUrl}/live-again`);
  await page.getByRole('option', { name: '/live-again' }).waitFor();
});

test('an event that arrives before the list is drawn is in it', async () => {
  const { page, captureUrl } = await openAccount(server, {
    prepare: (page) => page.clock.install(),
  });
  await page.getByText('0 events', { exact: true }).waitFor();

  // No frame is drawn once the clock stands, and the list of another filter is fetched. It
  // stands ahead of now, which a busy machine may reach late, and before the stream's deadline.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
  const listed = page.waitForResponse(/\/events\?.*method=POST/);
  await page.evaluate(() => {
    // The title of a hidden page counts the events that its stream has brought.
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    history.pushState(null, '', `${location.pathname}?method=POST`);
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await listed;
  await capture(captureUrl);
  await until('the stream brings it', async () => (await page.title()).startsWith('(1)'));
  await page.clock.resume();
  await page.getByText('1 match', { exact: true }).waitFor();
});

interface Relay {
  url: string;
  /**
   * The live streams fall silent but stay open. Other connections are closed, and
   * new ones work.
   */
  freeze(): void;
  /** Bytes received on silent connections since, which go no further. */
  held(): string;
}

/** A proxy to the server that can fall silent without closing, as a network does during sleep. */
async function relayTo(port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const streams = new WeakSet<Socket>();
  const silent = new WeakSet<Socket>();
  let held = '';
  const relay = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    client.on('data', (chunk) => {
      if (chunk.includes('GET /api/stream')) streams.add(client).add(server);
    });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (silent.has(from)) held += chunk;
        else to.write(chunk);
      });
      from.on('end', () => to.end());
      from.on('error', () => from.destroy());
      from.on('close', () => sockets.delete(from));
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    freeze() {
      for (const socket of sockets) {
        if (streams.has(socket)) silent.add(socket);
        else socket.destroy();
      }
    },
    held: () => held,
  };
}

test('a scrolled list stays where it is and counts new events', async () => {
  const { page, captureUrl } = await openAccount(server);
  for (let i = 0; i < 60; i++) await capture(`${captureUrl}/${i}`);
  await page.getByText('60 events').waitFor();
  const list = page.getByRole('listbox');
  await list.evaluate((element) => element.scrollTo(0, 700));
  await page.getByText('not following').waitFor();
  const topRow = () =>
    list.evaluate(async (element) => {
      // A row that came lately moves into its place when it is drawn.
      const moves = element.getAnimations({ subtree: true });
      await Promise.allSettled(moves.map(({ finished }) => finished));
      const { top } = element.getBoundingClientRect();
      const seen = [...element.querySelectorAll<HTMLElement>('[role=option]')].find(
        (row) => row.getBoundingClientRect().bottom > top + 1,
      );
      return [seen?.id, Math.round((seen?.getBoundingClientRect().top ?? 0) - top)];
    });
  const before = await topRow();
  for (let i = 0; i < 7; i++) await capture(`${captureUrl}/new/${i}`);
  await page.getByText('67 events').waitFor();
  await page.getByRole('button', { name: '↑ 7 new' }).waitFor();
  expect(await topRow()).toEqual(before);
  await page.getByRole('button', { name: '↑ 7 new' }).click();
  await page.getByRole('option', { name: '/new/6' }).waitFor();
  await page.getByText('not following').waitFor({ state: 'detached' });
  await capture(`${captureUrl}/followed`);
  await page.getByRole('option', { name: '/followed' }).waitFor();
});
