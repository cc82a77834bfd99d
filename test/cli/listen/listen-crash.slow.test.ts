import { expect, onTestFinished, test } from 'vitest';
import type { EndpointAnswer } from '../../../src/api/endpoints/endpoint-answer.ts';
import { register } from '../../fixtures/account.ts';
import { request } from '../../fixtures/http-request.ts';
import { httpReceiver, ok } from '../../fixtures/receiver.ts';
import { tempDir } from '../../fixtures/running-server.ts';
import { type ServedProcess, serveIn } from '../../fixtures/served-process.ts';
import { storedIds } from '../../fixtures/stored-ids.ts';
import { TcpProxy } from '../../fixtures/tcp-proxy.ts';
import { until } from '../../fixtures/until.ts';
import type { Shell } from '../command-line.ts';
import { freePort, LiveCommand, startProcess } from '../live-command.ts';

/** How often the server is killed. A follower may take seconds to notice that it is back. */
const CRASHES = 2;
/** Events that must be acknowledged between two crashes. */
const EVENTS_BETWEEN = 20;
const SENDERS = 3;
const PACE_MS = 100;

interface Place {
  dataDir: string;
  shell: Shell;
  endpoint: EndpointAnswer;
  /**
   * Kills the server by `kill -9`, and restarts it at the same address. Followers reach it
   * once `meanwhile` has resolved.
   */
  crash(meanwhile: () => Promise<unknown>): Promise<void>;
}

async function place(): Promise<Place> {
  const dataDir = tempDir();
  const flags = ['--port', String(await freePort()), '--allow-private-destinations'];
  let served: ServedProcess = await serveIn(dataDir, flags);
  const proxy = await TcpProxy.open(served.url);
  const account = await register({ url: served.url });
  const endpoint = await account.createEndpoint();
  const { json } = await account.call('POST', '/api/tokens', { name: 'cli' });
  return {
    dataDir,
    shell: { home: tempDir(), url: new URL(proxy.url).origin, token: json.token },
    endpoint,
    async crash(meanwhile) {
      served.kill('SIGKILL');
      await served.exited();
      await proxy.goAway();
      served = await serveIn(dataDir, flags);
      await meanwhile();
      await proxy.comeBack();
    },
  };
}

/** Keeps sending, and repeats unacknowledged requests as webhook senders do. */
function keepSending(url: string): { acknowledged: string[]; stop(): Promise<void> } {
  const acknowledged: string[] = [];
  let stopped = false;
  const sender = async () => {
    while (!stopped) {
      const answer = await request(url, { method: 'POST', body: '{}' }).catch(() => null);
      if (answer?.status === 200) acknowledged.push(answer.json.event_id);
      // The crashes take seconds, and the test waits for each event: a few hundred
      // are enough.
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
  };
  const senders = Array.from({ length: SENDERS }, sender);
  const stop = async () => {
    stopped = true;
    await Promise.all(senders);
  };
  onTestFinished(stop);
  return { acknowledged, stop };
}

/** Sends during crashes that every follower survives, and returns the ids of all stored events. */
async function sendThroughCrashes(
  { dataDir, endpoint, crash }: Place,
  followers: LiveCommand[],
): Promise<string[]> {
  const sending = keepSending(endpoint.capture_url);
  const goesOn = (events = EVENTS_BETWEEN) => {
    const enough = sending.acknowledged.length + events;
    return until('it is acknowledged', () => sending.acknowledged.length >= enough);
  };
  for (let crashes = 1; crashes <= CRASHES; crashes++) {
    await goesOn();
    // Each follower misses an event at least.
    await crash(() => goesOn(1));
    for (const follower of followers) await follower.printed('reconnected', crashes);
  }
  await goesOn();
  await sending.stop();
  const stored = storedIds(dataDir);
  // An event may be stored but not acknowledged. It counts too.
  expect(stored).toEqual(expect.arrayContaining(sending.acknowledged));
  return stored;
}

// About twelve sequential waits for processes.
test('tail and listen lose and double no event when the server is killed', {
  timeout: 120_000,
}, async () => {
  const here = await place();
  const target = await httpReceiver(ok, (close) => onTestFinished(() => void close()));
  const tail = new LiveCommand(here.shell, ['tail', '--json'], {}, startProcess);
  const listen = new LiveCommand(here.shell, ['listen', '--json', target.url], {}, startProcess);
  for (const command of [tail, listen]) await command.printed('ready');
  const stored = await sendThroughCrashes(here, [tail, listen]);

  const forwarded = await listen.printed('forwarded', stored.length);
  expect(listen.of('event').map(({ id }) => id)).toEqual(stored);
  expect(forwarded.map(({ event_id }) => event_id).sort()).toEqual([...stored].sort());
  const arrived = target.requests.map(({ headers }) => headers['x-hookrelay-event'] as string);
  expect(arrived.sort()).toEqual([...stored].sort());

  const events = await tail.printed('event', stored.length);
  expect(events.map(({ id }) => id)).toEqual(stored);
  for (const { missed } of tail.of('reconnected')) expect(missed).toBeGreaterThan(0);
  for (const command of [tail, listen]) expect(await command.end()).toBe(0);
  expect(tail.stderr).toMatch(/connection lost .+; trying again\n/);
  expect(tail.stderr).toMatch(/connected again after .+; caught up \d+ missed\n/);
});
