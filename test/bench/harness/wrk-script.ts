import { loadPayload, PAYLOAD_HEADERS } from './payload.ts';

/** Stand for the two values that wrk makes anew for each request, which are always equally long. */
const UUID = '<uuid>';
const EMAIL = '<email>';
const UUID_LENGTH = 36;
const EMAIL_LENGTH = 'user00000000@example.com'.length;

/**
 * wrk's script: whole requests put together from fixed text, because anything
 * more (wrk.format, a table of headers) would slow wrk, and a slow wrk would
 * flatter the slower of two servers.
 */
export function wrkScript(url: string): string {
  const { host, pathname } = new URL(url);
  const body = loadPayload(UUID, EMAIL);
  const length = body.length - UUID.length - EMAIL.length + UUID_LENGTH + EMAIL_LENGTH;
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    ...PAYLOAD_HEADERS.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${length}`,
  ].join('\r\n');
  const [beforeUuid, afterUuid] = cut(`${head}\r\n\r\n${body}`, UUID);
  const [betweenBoth, afterEmail] = cut(afterUuid, EMAIL);
  // JSON's strings are Lua's, as long as they are ASCII.
  return `
local before, between, after =
  ${JSON.stringify(beforeUuid)},
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

function cut(text: string, at: string): [string, string] {
  const [before, after] = text.split(at);
  return [before as string, after as string];
}
