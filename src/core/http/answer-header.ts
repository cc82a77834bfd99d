/** Headers that an endpoint's own answer can't have, and why. */
interface ReservedHeaders {
  why: string;
  names: readonly string[];
  /** Beginnings of names. */
  prefixes: readonly string[];
}

/** In lower case. */
export const RESERVED_ANSWER_HEADERS: readonly ReservedHeaders[] = [
  {
    why: 'frames the answer: hookrelay sets it',
    names: [
      ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
      // The body is a text that is sent as it is, so neither a coding nor a part of it fits.
      ...['content-length', 'content-encoding', 'content-range', 'date', 'http2-settings'],
    ],
    prefixes: ['proxy-'],
  },
  { why: 'has a member of its own: content_type', names: ['content-type'], prefixes: [] },
  {
    why: 'is one of those that hookrelay sets at every capture URL',
    names: [
      ...['content-security-policy', 'content-security-policy-report-only'],
      ...['x-content-type-options', 'cache-control'],
    ],
    prefixes: ['access-control-', 'x-hookrelay-'],
  },
  {
    // A browser keeps these for the whole origin, in spite of the answer's `sandbox`: cookies of
    // the page, its service workers, its storage, its passwords, its TLS and its routes.
    why: 'would act on the page of hookrelay, which has the same origin',
    names: [
      ...['clear-site-data', 'strict-transport-security', 'service-worker-allowed'],
      ...['www-authenticate', 'alt-svc', 'accept-ch', 'critical-ch', 'origin-agent-cluster'],
      ...['nel', 'report-to', 'reporting-endpoints', 'public-key-pins', 'expect-ct'],
      ...['refresh', 'speculation-rules', 'use-as-dictionary', 'activate-storage-access'],
    ],
    prefixes: ['set-', 'sec-', 'secure-session-', 'attribution-reporting-'],
  },
  {
    // nginx would read a file of its own, and a cache would answer in place of the capture.
    why: 'would steer a proxy in front of hookrelay',
    names: [
      ...['x-sendfile', 'x-lighttpd-send-file', 'x-lighttpd-send-tempfile', 'x-reproxy-url'],
      ...['x-litespeed-location', 'x-litespeed-cache-control'],
      ...['cdn-cache-control', 'cloudflare-cdn-cache-control', 'expires', 'pragma'],
    ],
    prefixes: ['x-accel-', 'surrogate-'],
  },
];

/** Why an answer can't have a header; null for one that it may have. Case doesn't matter. */
export function whyReservedInAnswer(name: string): string | null {
  const lower = name.toLowerCase();
  const found = RESERVED_ANSWER_HEADERS.find(
    ({ names, prefixes }) =>
      names.includes(lower) || prefixes.some((prefix) => lower.startsWith(prefix)),
  );
  return found?.why ?? null;
}
