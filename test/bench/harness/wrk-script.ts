import { seededRandom } from '../../fixtures/random.ts';
import type { LoadRequest } from './load.ts';
import { bodyOf, loadTemplate } from './load-template.ts';
import { PAYLOAD_HEADERS } from './payload.ts';
import { randomUuid } from './random-uuid.ts';
import { signedHeader } from './signed-header.ts';

/** Different requests of a load that is signed before. */
const SIGNED_REQUESTS = 500;

/**
 * wrk's script. It builds whole requests from fixed text, because anything more
 * (wrk.format, a table of headers) would slow wrk, and a slow wrk would flatter the
 * slower of two servers. The two values that differ are new in each request.
 */
export function wrkScript({ url, bodyBytes, secret }: LoadRequest): string {
  if (secret !== undefined) return signedScript(url, bodyBytes, secret);
  const { beforeUuid, betweenBoth, afterEmail, bytes } = loadTemplate(bodyBytes);
  const head = headOf(url, bytes, []);
  // JSON strings are Lua strings as long as they are ASCII.
  return `
local before, between, after =
  ${JSON.stringify(`${head}${beforeUuid}`)},
  ${JSON.stringify(betweenBoth)},
  ${JSON.stringify(afterEmail)}
local random, format = math.random, string.format

function init()
  math.randomseed(os.time())
end

function request()
  local id = format("%04x%04x-%04x-4%03x-a%03x-%04x%04x%04x",
    random(0, 65535), random(0, 65535), random(0, 65535), random(0, 4095), random(0, 4095),
    random(0, 65535), random(0, 65535), random(0, 65535))
  return before .. id .. between .. format("user%08x@example.com", random(0, 2147483647)) .. after
end

${DONE}`;
}

/** Repeats requests that are signed now: wrk can't sign. */
function signedScript(url: string, bodyBytes: number | undefined, secret: string): string {
  const random = seededRandom(7);
  const template = loadTemplate(bodyBytes);
  const requests = Array.from({ length: SIGNED_REQUESTS }, () => {
    const body = bodyOf(template, randomUuid(random));
    return headOf(url, template.bytes, [signedHeader(body, secret)]) + body;
  });
  return `
local format = string.format
local requests = {${requests.map((one) => JSON.stringify(one)).join(',\n')}}
local at = 0

function request()
  at = at % ${SIGNED_REQUESTS} + 1
  return requests[at]
end

${DONE}`;
}

function headOf(url: string, bytes: number, more: readonly [string, string][]): string {
  const { host, pathname } = new URL(url);
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    ...[...PAYLOAD_HEADERS, ...more].map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${bytes}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const DONE = `function done(summary, latency)
  local errors = summary.errors
  io.write(format('BENCH {"ok":%d,"failed":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f}\\n',
    summary.requests - errors.status,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
`;
