import { clean, quoted } from '../../core/text/words.ts';
import { shellQuoted } from './case.ts';
import type { Answered, AnswerRule } from './rule.ts';
import { bodyStep, debugStep, editStep, moveStep, resendStep } from './steps.ts';

/** Services by their usual ports. */
const SERVICES: Record<string, string> = {
  25: 'mail (SMTP)',
  587: 'mail (SMTP)',
  1433: 'SQL Server',
  3306: 'MySQL or MariaDB',
  5432: 'PostgreSQL',
  5672: 'RabbitMQ',
  6379: 'Redis',
  6432: 'PgBouncer',
  9092: 'Kafka',
  9200: 'Elasticsearch',
  11211: 'Memcached',
  27017: 'MongoDB',
};

/** A refused connection, in the words of Node, Go, psycopg and libpq, redis-py, PHP and Java. */
const REFUSED = [
  /ECONNREFUSED (?<host>[\w.:-]+?):(?<port>\d{1,5})\b/,
  /dial tcp (?<host>\[?[\w.:-]+?\]?):(?<port>\d{1,5}): connect(?:ex)?: connection refused/i,
  /server at "(?<host>[^"]{1,100})"(?: \([^)]{1,60}\))?, port (?<port>\d{1,5}) failed: connection refused/i,
  /error (?:61|111) connecting to (?<host>[\w.:-]+?):(?<port>\d{1,5})\. connection refused/i,
  /connection to (?<host>[\w.-]+):(?<port>\d{1,5}) refused/i,
  /connection refused \[?tcp:\/\/(?<host>[\w.-]+):(?<port>\d{1,5})/i,
];

interface Refused {
  host: string;
  port: string;
}

function refusedIn({ text }: Answered): Refused | null {
  for (const pattern of REFUSED) {
    const { host, port } = pattern.exec(text)?.groups ?? {};
    if (host && port) return { host, port };
  }
  return null;
}

/** Returns the key that a database names: MySQL, PostgreSQL, SQLite, SQL Server, MongoDB. */
const DUPLICATE =
  /duplicate entry '[^']{0,200}' for key '?(?<mysql>[\w.-]+)|duplicate key value violates unique constraint "(?<postgres>[^"]{1,100})"|unique constraint failed: (?<sqlite>[\w., ]{1,100})|E11000 duplicate key error collection: \S+ index: (?<mongo>\S{1,100})/i;

function duplicateKey({ text }: Answered): string | null {
  const { mysql, postgres, sqlite, mongo } = DUPLICATE.exec(text)?.groups ?? {};
  return mysql ?? postgres ?? sqlite ?? mongo ?? null;
}

const CONNECTIONS: [says: RegExp, service: string][] = [
  [
    /too many clients already|remaining connection slots are reserved|too many connections for (role|database)/i,
    'PostgreSQL (max_connections)',
  ],
  [/no more connections allowed|max_client_conn|query_wait_timeout/i, 'PgBouncer'],
  [/too many connections/i, 'MySQL or MariaDB (max_connections)'],
  [/max number of clients reached/i, 'Redis (maxclients)'],
];

function exhausted({ text }: Answered): string | null {
  return CONNECTIONS.find(([says]) => says.test(text))?.[1] ?? null;
}

/** PHP's `in FILE:LINE` and `in FILE on line LINE`, Python's `File "FILE", line LINE`, Node's. */
const PLACES = [
  /\bin (?<file>(?:\/|[A-Z]:\\)[^\s:"'()]{1,160}\.php)(?::| on line )(?<line>\d{1,6})/,
  /"?file"?: ?"(?<file>[^"]{1,160}\.php)", ?"line"?: ?(?<line>\d{1,6})/,
];
const PYTHON_FRAME = /File "(?<file>[^"]{1,160}\.py)", line (?<line>\d{1,6})/g;
const NODE_FRAME =
  /\bat (?:[^()\n]{0,80}\()?(?:file:\/\/)?(?<file>\/[^\s():]{1,160}\.[cm]?[jt]sx?):(?<line>\d{1,6})/;

/** Returns where the service's own code failed, as `FILE:LINE`. */
function placeOf({ text }: Answered): string | null {
  const found =
    PLACES.map((pattern) => pattern.exec(text)).find((match) => match !== null) ??
    // Python's last frame is the one that failed; Node's first.
    [...text.matchAll(PYTHON_FRAME)].at(-1) ??
    NODE_FRAME.exec(text);
  const { file, line } = found?.groups ?? {};
  return file && line ? `${clean(file, 160)}:${line}` : null;
}

const APPEND_SLASH = /you have APPEND_SLASH set/i;

/**
 * What answers say about the service's own code and about the services that it depends on. The first
 * match counts.
 */
export const INNER_RULES: AnswerRule[] = [
  {
    when: ({ status, text }) => status >= 400 && APPEND_SLASH.test(text),
    isLasting: true,
    cause:
      "Django's APPEND_SLASH wants a slash at the end of the URL, and can't redirect a request with a body there. The handler never saw the event.",
    steps: [
      (failed) => moveStep('Add the slash', shellQuoted(withSlash(failed.url)))(failed),
      "Or give the route a form without the slash in the service's urls.py.",
    ],
  },
  {
    when: (answer) => answer.status >= 400 && refusedIn(answer) !== null,
    cause: (answer) => {
      const { host, port } = refusedIn(answer) ?? { host: '', port: '' };
      const service = SERVICES[port];
      return `The service is up, but another one that it needs is not: ${clean(host, 100)} refuses connections on port ${port}${service ? `, which is usually ${service}` : ''}. The event itself is fine.`;
    },
    steps: [
      (failed) => {
        const { port } = refusedIn(failed) ?? { port: '' };
        return `Start ${SERVICES[port] ?? 'it'}, or correct its address in the service's settings; see on its machine whether it listens: ss -ltn 'sport = :${port}'`;
      },
      "In a container, localhost is that container alone: use the other service's name.",
    ],
    replay: 'When it is back',
  },
  {
    when: (answer) => answer.status >= 400 && exhausted(answer) !== null,
    cause: (answer) =>
      `The service's database takes no more connections: ${exhausted(answer)} is at its limit. The event itself is fine.`,
    steps: [
      'Have the service share a pool of connections, and close them; or put a pooler in front of the database.',
      editStep('Or limit what it gets at once', '--concurrency 2'),
    ],
    replay: 'When its load has dropped',
  },
  {
    when: (answer) => answer.status >= 400 && duplicateKey(answer) !== null,
    isLasting: true,
    cause: (answer) =>
      `The service has a row of this key already: its database refuses a second one (${quoted(duplicateKey(answer) ?? '', 100)}). Most often an earlier attempt or replay stored the event, and failed or was too slow afterwards.`,
    steps: [
      'Take a repeat for success: look the id up first, or INSERT … ON CONFLICT DO NOTHING (INSERT IGNORE in MySQL), and answer 2xx.',
      'Recognise repeats by the webhook-id header, which stays the same on every attempt.',
    ],
  },
  {
    when: (answer) => answer.status >= 500 && placeOf(answer) !== null,
    cause: (answer) =>
      `The service failed on this request (${answer.status}): its own code threw an error at ${quoted(placeOf(answer) ?? '', 180)}.`,
    steps: [
      'Look at that line, and at the log of the service at the times above.',
      bodyStep,
      resendStep,
      debugStep,
    ],
    replay: null,
  },
];

function withSlash(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  if (!parsed.pathname.endsWith('/')) parsed.pathname += '/';
  return parsed.href;
}
