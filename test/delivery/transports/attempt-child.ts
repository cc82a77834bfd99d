/**
 * Makes attempts to the given origins, whose names resolve to ::1 first and then
 * 127.0.0.1, and prints the outcomes.
 */
import { systemClock } from '../../../src/core/runtime/runtime.ts';
import { createDeliveryAgent } from '../../../src/delivery/transports/webhook/agent.ts';
import { makeAttempt } from '../../../src/delivery/transports/webhook/attempt.ts';

const agent = createDeliveryAgent({
  allowPrivate: true,
  connectTimeoutMs: 5000,
  lookup: (_hostname, _options, callback) => {
    callback(null, [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);
  },
});
const { signal } = new AbortController();
const outcomes = [];
for (const origin of process.argv.slice(2)) {
  const request = {
    origin,
    path: '/hook',
    method: 'POST',
    headers: ['content-type', 'text/plain'],
    body: Buffer.from('hello'),
  };
  outcomes.push(await makeAttempt(request, { agent, clock: systemClock, timeoutMs: 5000, signal }));
}
await agent.destroy();
process.stdout.write(JSON.stringify(outcomes));
