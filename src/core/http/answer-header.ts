/** Headers that an endpoint's own answer can't set, in lower case, and the reason. */
interface ReservedHeaders {
  why: string;
  names: readonly string[];
  prefixes: readonly string[];
}

export const RESERVED_ANSWER_HEADERS: readonly ReservedHeaders[] = [
  {
    why: 'frames the answer, so hookrelay sets it',
    names: [
      ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
      // hookrelay sends the whole body as text. A coding or a range would be wrong.
      ...['content-length', 'content-encoding', 'content-range', 'date', 'http2-settings'],
    ],
    prefixes: ['proxy-'],
  },
  { why: 'has its own member, content_type', names: ['content-type'], prefixes: [] },
  {
    why: 'is set by hookrelay at every capture URL',
    names: [
      ...['content-security-policy', 'content-security-policy-report-only'],
      ...['x-content-type-options', 'cache-control'],
    ],
    prefixes: ['access-control-', 'x-hookrelay-'],
  },
  {
    // Browsers apply these headers to the whole origin, even if the answer has a `sandbox`. They
    // would affect the cookies, storage, passwords, TLS and service workers of hookrelay's page.
    why: 'would affect hookrelay’s own page, which has the same origin',
    names: [
      ...['clear-site-data', 'strict-transport-security', 'service-worker-allowed'],
      ...['www-authenticate', 'alt-svc', 'accept-ch', 'critical-ch', 'origin-agent-cluster'],
      ...['nel', 'report-to', 'reporting-endpoints', 'public-key-pins', 'expect-ct'],
      ...['refresh', 'speculation-rules', 'use-as-dictionary', 'activate-storage-access'],
    ],
    prefixes: ['set-', 'sec-', 'secure-session-', 'attribution-reporting-'],
  },
  {
    // Some headers make nginx send its own files. With others, a cache answers without a
    // capture.
    why: 'would steer a proxy in front of hookrelay',
    names: [
      ...['x-sendfile', 'x-lighttpd-send-file', 'x-lighttpd-send-tempfile', 'x-reproxy-url'],
      ...['x-litespeed-location', 'x-litespeed-cache-control'],
      ...['cdn-cache-control', 'cloudflare-cdn-cache-control', 'expires', 'pragma'],
    ],
    prefixes: ['x-accel-', 'surrogate-'],
  },
];

/** Returns why an answer can't set a header. Null if it can. Case doesn't matter. */
export function whyReservedInAnswer(name: string): string | null {
  const lower = name.toLowerCase();
  const found = RESERVED_ANSWER_HEADERS.find(
    ({ names, prefixes }) =>
      names.includes(lower) || prefixes.some((prefix) => lower.startsWith(prefix)),
  );
  return found?.why ?? null;
}
