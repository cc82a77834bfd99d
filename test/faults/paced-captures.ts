import http from 'node:http';

/*
 * A program that captures at a steady pace in its own process, so that the test's
 * other work delays no measurement. Arguments: capture URL, count, ms between two.
 * Prints each answer time, ms, as a JSON array.
 */

const [url = '', count = '0', everyMs = '0'] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true });

function capture(): Promise<number> {
  const sentAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`));
      answer.resume().once('end', () => resolve(performance.now() - sentAt));
    });
    request.once('error', reject).end('{"a":1}');
  });
}

/** First captures, which pay for the start of this process. */
const WARM_UP = 25;

const begun = performance.now();
const times = await Promise.all(
  Array.from({ length: WARM_UP + Number(count) }, async (_, i) => {
    const waitMs = begun + i * Number(everyMs) - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
    return capture();
  }),
);
process.stdout.write(JSON.stringify(times.slice(WARM_UP)));
agent.destroy();
