/* Values that openapi-inputs.ts gives to fields: some that a schema takes and some that it refuses. */

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

const TIMES = [
  ...[
    '2026-01-31',
    '2024-02-29',
    '2023-02-29',
    '1900-02-29',
    '2000-02-29',
    '2026-04-31',
    '2026-1-1',
  ],
  ...[
    '2026-01-31T12:00',
    '2026-01-31T12:00:00Z',
    '2026-01-31t12:00:00.123456z',
    '2026-01-31 12:00',
  ],
  ...['2026-01-31T24:00', '2026-01-31T24:01', '2026-01-31T25:00', '2026-12-31T23:59:60Z'],
  ...['2026-01-31T12:00:00+02:00', '2026-01-31T12:00:00-0230', '2026-01-31T12:00:00 02:00'],
  ...['2026-01-31T12:00:00+24:00', '2026-01-31T12:00:0002:00', '2026-01-31T12Z', 'yesterday'],
];
export const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    ' a ',
    '\ta\n',
    'a\tb',
    'a\u2028b',
    '\u2028a',
    '\ufeffa',
    '\0',
    'é',
    '日本',
    '\ud800',
  ],
  ...['x'.repeat(100), 'x'.repeat(101), '🪝'.repeat(100), '🪝'.repeat(101), ` ${'x'.repeat(200)} `],
  ...['x'.repeat(200), 'x'.repeat(201), 'x'.repeat(256), 'x'.repeat(257), `a${' '.repeat(300)}b`],
  ...['method=POST', 'body.a>=1 and not type?', 'method', '{"body": {"a": 1}}', '{"bdy": 1}'],
  ...['null', '0', '1', '007', '1000', '1001', '-1', '1.5', 'true'],
];
const SECRETS = [
  ...['********', '********b7oD', '********b7oDx', '*******', '********\n'],
  ...[
    'whsec_',
    'whsec',
    'awhsec_',
    `whsec_${base64(24)}`,
    `whsec_${base64(23)}`,
    `whsec_${base64(25)}`,
  ],
  ...[
    `whsec_${base64(25).replace(/=+$/, '')}`,
    'whsec_AB==',
    'whsec_AA==',
    'whsec_AAB=',
    'whsec_A-_=',
  ],
];
const MEDIA_TYPES = [
  ...[
    'text/plain',
    'text/plain; charset=utf-8',
    'text/plain;charset="utf-8"',
    'text/plain;',
    'a/b ; c=d',
  ],
  ...[
    'text',
    'text/',
    '/plain',
    'text/plain charset=utf-8',
    'text/plain; charset',
    'text/plain; a="b',
  ],
  ...[
    'text/plain; a="\\"b;"',
    'text/plain\r\nx: y',
    'text /plain',
    ' text/plain',
    'té/xt',
    'a/b; c = d',
  ],
  ...[`a/${'b'.repeat(198)}`, `a/${'b'.repeat(199)}`, 'application/vnd.a+json', 'a/b, c/d'],
];
export const LANGUAGES = ['typescript', 'javascript', 'python', 'go', 'rust'];
export const FRAMEWORKS = ['express', 'fastify', 'nextjs', 'fastapi', 'gin', 'Express'];
const SCOPES = [
  ...[['read'], ['read', 'write'], ['write', 'read'], ['write'], ['read', 'read']],
  ...[
    ['read', 'admin'],
    ['read', null],
  ],
];
const DURATIONS = ['1m', '30d', '1.5h', '60000ms', ' 1h', '1h ', '1H', '1 h', '1w', '90', '3652d'];
/** No schema can say how long a duration is. */
const RETENTIONS = DURATIONS.filter((text) => text !== '3652d');
export const OTHERS = [
  'received',
  'keep',
  'cancel',
  'summary',
  null,
  true,
  0,
  1,
  199,
  200,
  599,
  600,
  200.5,
  [],
  {},
  { body: { a: { $gte: 1 } } },
  { bdy: 1 },
  ['a'],
];
const ORDERS = [
  '*',
  'body.customer.id',
  'header.x-id',
  'body.items[0].sku',
  'body.items[*].sku',
  'bdy',
];
const BASE64 = ['YQ==', 'YWI=', 'YWJj', 'YQ=', 'YQ', 'YQ==\n', '====', 'Y===', '-_-_'];
const HEADERS = [
  { authorization: 'Bearer x' },
  { 'X-Tenant': '7', accept: 'a/b' },
  { a: null },
  ...[
    { a: '' },
    { a: ' b' },
    { a: 'b\nc' },
    { a: 'é' },
    { a: '********' },
    { a: 7 },
    { 'a b': 'c' },
    { a: ['b', 'c'] },
    { a: [] },
    { a: '\u20ac' },
  ],
  ...[{ 'Set-Cookie': 'x' }, { location: '/x' }, { 'CACHE-CONTROL': 'x' }, { 'x-accel-a': 'x' }],
  ...[{ HOST: 'x' }, { hosts: 'x' }, { 'Content-Type': 'x' }, { 'webhook-id': 'x' }, { te: 'x' }],
];
const RATES = [
  { limit: 1, per: 'hour' },
  { limit: 1_000_000, per: 'minute' },
  { limit: 1_000_001, per: 'minute' },
  { limit: 1 },
  { limit: 1, per: 'day' },
  { limit: 1, per: 'hour', burst: 2 },
];
const POLICIES = [
  { attempts: 8, base: '5s', factor: 5, max: '24h' },
  { attempts: 8, base: '5s', factor: 5, max: '24h', give_up_on: ['4xx', 501] },
  { attempts: 8, base: '5s', factor: 5 },
  { attempts: 8, base: '5s', factor: 5, max: '24h', jitter: 0 },
  { schedule: ['0s', '5m'] },
  { schedule: [] },
  { schedule: ['5'] },
  { schedule: ['5s'], attempts: 3 },
  { schedule: '5s' },
];
const CODES = [[], [404], ['4xx', 501], ['2xx'], [299], [600], ['404'], [404.5]];
/** Durations that every field with a duration takes, and texts that are none. */
const SHORT = ['1s', '1.5s', '1000ms', '60s', '1m', ' 1s', '1S', '1 s', '1w', '90'];
const KINDS = [['delivery'], ['delivery', 'silence'], ['delivery', 'delivery'], ['outage']];
/** A source that needs no other member. */
export const SOURCE = { provider: 'token', secrets: ['a token'], in: 'header.x-token' };
const SOURCES = [
  SOURCE,
  { ...SOURCE, provider: 'tokn' },
  { ...SOURCE, secrets: [] },
  { ...SOURCE, secrets: ['********'] },
  { ...SOURCE, secrets: Array(11).fill('a') },
  { ...SOURCE, in: 'cookie.token' },
  { ...SOURCE, enforce: true, url: null },
  { ...SOURCE, enforce: 'yes' },
  { provider: 'basic', secrets: ['user:a password', 'user:another'] },
];
const DEDUPES = [
  { by: 'provider' },
  { by: 'provder' },
  { by: ['header.x-id', 'body.id'] },
  { by: ['body.id', 'body.id'] },
  { by: ['body.id', 'bdy.id'] },
  { by: ['*'] },
  { by: [] },
  { by: 'provider', since: 'now' },
];
export const OF_FIELD: Record<string, unknown[]> = {
  ...{ headers: HEADERS, rate: RATES, retry: POLICIES, give_up_on: CODES },
  ...{ timeout: SHORT, hold: SHORT, overlap: SHORT, base: SHORT, max: SHORT },
  ...{
    state: ['active', 'paused', 'disabled'],
    path: ['append', 'ignore'],
    breaker: ['on', 'off'],
  },
  ...{ concurrency: ['auto', 256, 257], per: ['second', 'seconds'], limit: [10, 1e6, 1e6 + 1] },

  ...{ from: TIMES, to: TIMES, secret: SECRETS, content_type: MEDIA_TYPES },
  ...{ scopes: SCOPES, expires_in: DURATIONS },
  ...{ source: SOURCES, dedupe: DEDUPES, last: [10, 1000, 1001] },
  ...{ expect_every: RETENTIONS, kinds: KINDS, type: ['slack', 'pager'] },
  ...{ retention: RETENTIONS, order_by: ORDERS, body_base64: BASE64 },
  ...{ language: LANGUAGES, framework: FRAMEWORKS, method: ['GET', 'report', 'G E T'] },
};
