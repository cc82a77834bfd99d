import type { LoadRequest } from './load.ts';
import { loadTemplate } from './load-template.ts';
import { PAYLOAD_HEADERS } from './payload.ts';

/**
 * wrk's script. It builds whole requests from fixed text, because anything more
 * (wrk.format, a table of headers) would slow wrk, and a slow wrk would flatter the
 * slower of two servers. The two values that differ are new in each request.
 */
export function wrkScript({ url, bodyBytes }: LoadRequest): string {
  const { host, pathname } = new URL(url);
  const { beforeUuid, betweenBoth, afterEmail, bytes } = loadTemplate(bodyBytes);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    ...PAYLOAD_HEADERS.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${bytes}`,
  ].join('\r\n');
  // JSON strings are Lua strings as long as they are ASCII.
  return `
local before, between, after =
  ${JSON.stringify(`${head}\r\n\r\n${beforeUuid}`)},
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

function done(summary, latency)
  local errors = summary.errors
  io.write(format('BENCH {"ok":%d,"failed":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f}\\n',
    summary.requests - errors.status,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
`;
}
