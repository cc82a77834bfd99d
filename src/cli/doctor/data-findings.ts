import { basename } from 'node:path';
import { formatDuration, formatRelativeTime } from '../../core/text/duration.ts';
import { formatSize } from '../../core/text/size.ts';
import { counted } from '../../core/text/words.ts';
import type { ContentFacts, Inspection, StoredFile } from '../../store/contract/admin-store.ts';
import { commandOn, type DoctorFinding, fail, ok, warn } from './doctor-finding.ts';

const OTHERS = 0o007;
const GROUP_AND_OTHERS = 0o077;
/** A longer log is a warning. Checkpoints truncate the log to 64 MiB, unless a read blocks them. */
const LONG_LOG_BYTES = 256 * 1024 * 1024;
/** A longer lag is a warning. Capture adds fewer events than this during a few index commits. */
const LONG_LAG_EVENTS = 10_000;
/** A due delivery that waits longer is a warning. Normally it is attempted within seconds. */
const LONG_DUE_MS = 5 * 60_000;
/** The largest difference between two clocks without a finding. */
const CLOCK_TOLERANCE_MS = 60_000;

export interface DataContext {
  dataDir: string;
  now: number;
}

export function dataFindings(found: Inspection, context: DataContext): DoctorFinding[] {
  if (found.nodes) return serverFindings(found, found.nodes, context);
  const command = commandOn(context.dataDir);
  if (!found.directory) {
    return [
      fail(
        'data directory',
        `there is no directory ${context.dataDir}, or no access to it`,
        `${command('serve')} creates it; or name another with --data-dir`,
      ),
    ];
  }
  const { database } = found;
  const outside = [
    permissions(found.directory, found.files),
    ...(found.disk ? [diskSpace(found.disk, command)] : []),
  ];
  if (!isAccessible(found)) return outside;
  return [
    ...outside,
    holder(found),
    schema(found, context),
    ...(database.state === 'readable' ? [log(database.walBytes, found)] : []),
    ...(database.state === 'readable' && database.content
      ? [
          index(database.content, found, command),
          deliveries(database.content, found),
          destinations(database.content),
          clock(database.content, context),
        ]
      : []),
  ];
}

/** Skips file checks, because PostgreSQL manages its files. Several nodes may use the database. */
function serverFindings(found: Inspection, nodes: string[], context: DataContext): DoctorFinding[] {
  const { database } = found;
  const content = database.state === 'readable' ? database.content : null;
  const command = (words: string) => `hookrelay ${words}`;
  return [
    database.state === 'unusable'
      ? fail('database', database.reason, 'pg_isready, then psql "$HOOKRELAY_DATABASE"')
      : schema(found, context),
    nodes.length > 0
      ? ok('nodes', `${nodes.length} at work: ${nodes.join(', ')}`)
      : ok('nodes', 'none at work'),
    ...(content
      ? [
          index(content, found, command),
          deliveries(content, found),
          destinations(content),
          clock(content, context),
        ]
      : []),
  ];
}

/** Returns whether this process has the rights of a server, which other checks need. */
export function isAccessible({ directory, files, nodes, database }: Inspection): boolean {
  if (nodes) return database.state !== 'unusable';
  return directory !== null && [directory, ...files].every(({ usable }) => usable);
}

export function integrityFinding(problems: readonly string[], full: boolean, dataDir: string) {
  const check = 'integrity';
  const command = commandOn(dataDir);
  if (problems.length === 0) {
    return ok(check, full ? 'complete check: sound' : 'quick check: sound');
  }
  const faults = counted(problems.length, 'fault');
  return fail(
    check,
    full ? `${faults}: ${problems.join('; ')}` : `${faults}, the first: ${problems[0]}`,
    `stop the server, keep a copy of the directory, then ${command('restore FILE')}`,
  );
}

function permissions(directory: StoredFile, files: readonly StoredFile[]): DoctorFinding {
  const check = 'permissions';
  const all = [directory, ...files];
  const useless = all.filter(({ usable }) => !usable);
  if (useless.length > 0) {
    const next = 'run doctor as the user of the server: the other checks need its rights';
    return fail(check, `no right to read and write ${names(useless)}`, next);
  }
  const foreign = files.filter(({ ownerMatches }) => !ownerMatches);
  if (foreign.length > 0) {
    return warn(
      check,
      `${names(foreign)}: owned by another user than the directory`,
      `chown --reference=${directory.path} ${paths(foreign)}`,
    );
  }
  const openFiles = files.filter(({ mode }) => (mode ?? 0) & GROUP_AND_OTHERS);
  const isDirectoryOpen = ((directory.mode ?? 0) & GROUP_AND_OTHERS) !== 0;
  if (!isDirectoryOpen && openFiles.length === 0) {
    return ok(check, `only the server's user may use ${directory.path}`);
  }
  const open = [...(isDirectoryOpen ? [directory] : []), ...openFiles];
  const next = [
    ...(isDirectoryOpen ? [`chmod 700 ${directory.path}`] : []),
    ...(openFiles.length > 0 ? [`chmod 600 ${paths(openFiles)}`] : []),
  ].join(' && ');
  const message = `others have rights to ${open
    .map((file) => `${nameOf(file)} (${octal(file)})`)
    .join(', ')}`;
  // Other users can reach a file only if they may enter its directory.
  const isReachable =
    ((directory.mode ?? 0) & OTHERS) !== 0 && openFiles.some(({ mode }) => (mode ?? 0) & OTHERS);
  return isReachable ? fail(check, message, next) : warn(check, message, next);
}

function diskSpace(
  { freeBytes, reserveBytes }: NonNullable<Inspection['disk']>,
  command: (words: string) => string,
): DoctorFinding {
  const check = 'disk space';
  const message = `${formatSize(freeBytes)} free; capture stops below ${formatSize(reserveBytes)}`;
  const next = command('prune --before 30d --dry-run');
  if (freeBytes < reserveBytes) return fail(check, message, next);
  return freeBytes < 2 * reserveBytes ? warn(check, message, next) : ok(check, message);
}

function holder({ holder: by }: Inspection): DoctorFinding {
  if (!by) return ok('data lock', 'no process uses the data');
  return ok('data lock', by.pid === null ? 'held by a process' : `held by process ${by.pid}`);
}

function schema(found: Inspection, { dataDir }: DataContext): DoctorFinding {
  const check = 'database';
  const command = commandOn(dataDir);
  const { database } = found;
  if (database.state === 'missing') {
    return database.lost
      ? fail(check, 'the database is gone', command('restore FILE'))
      : warn(check, 'there is none yet', `${command('serve')} creates it`);
  }
  if (database.state === 'unusable') return fail(check, database.reason, command('restore FILE'));
  const { schema: version, newestSchema } = database;
  const message = `schema ${version}, ${formatSize(database.bytes)}`;
  if (version > newestSchema && database.content) {
    return warn(
      check,
      `${message}; this hookrelay works with it, and knows schemas up to ${newestSchema}`,
      'run the newer hookrelay on every node',
    );
  }
  if (version > newestSchema) {
    return fail(
      check,
      `${message}; this hookrelay knows schemas up to ${newestSchema}`,
      'run doctor of the newer hookrelay version that wrote it',
    );
  }
  if (version < newestSchema) {
    return warn(
      check,
      `${message}; this hookrelay works with schema ${newestSchema}`,
      found.holder ? "run doctor of the server's version" : command('migrate'),
    );
  }
  const events = database.content ? `, ${counted(database.content.events, 'event')}` : '';
  return ok(check, message + events);
}

function log(walBytes: number, { holder: by }: Inspection): DoctorFinding {
  const check = 'write-ahead log';
  const message = formatSize(walBytes);
  if (walBytes > LONG_LOG_BYTES) {
    return warn(
      check,
      `${message}: a long read blocks its truncation`,
      'end that read, or wait for it',
    );
  }
  if (walBytes > 0 && !by) {
    return ok(check, `${message}, left by a killed server; the next server reads it`);
  }
  return ok(check, message);
}

function index(
  { index: found, events }: ContentFacts,
  { holder: by }: Inspection,
  command: (words: string) => string,
): DoctorFinding {
  const check = 'search index';
  if (found.state === 'current') {
    const { lag, lacking } = found;
    if (lacking > 0) {
      return fail(check, `lacks ${counted(lacking, 'event')}`, command('reindex'));
    }
    const message = lag === 0 ? 'holds every event' : `${counted(lag, 'event')} behind`;
    return lag > LONG_LAG_EVENTS
      ? warn(check, `${message}; searches scan those events`, by ? undefined : command('reindex'))
      : ok(check, message);
  }
  if (events === 0) return ok(check, 'nothing to index yet');
  const what = {
    missing: 'there is none',
    stale: 'it belongs to another database',
    unusable: 'it is unusable',
  };
  return warn(
    check,
    `${what[found.state]}; searches scan until a server has built it`,
    by ? 'wait for the server, or restart it' : command('reindex'),
  );
}

function deliveries({ queue }: ContentFacts, { holder: by }: Inspection): DoctorFinding {
  const check = 'deliveries';
  const { pending, due, oldestDueMs } = queue;
  if (due === 0) return ok(check, `${pending} open, none due`);
  const message = `${pending} open, ${due} due, the oldest for ${formatDuration(oldestDueMs)}`;
  if (!by) return ok(check, `${message}; a server attempts them when it starts`);
  if (oldestDueMs <= LONG_DUE_MS) return ok(check, message);
  const next = 'look for destinations that hang: hookrelay events list ENDPOINT --status failed';
  return warn(check, message, next);
}

function destinations({ refusing }: ContentFacts): DoctorFinding {
  const check = 'destinations';
  const [first] = refusing;
  if (!first) return ok(check, 'none refuses its events');
  const verb = refusing.length === 1 ? 'refuses' : 'refuse';
  return warn(
    check,
    `${counted(refusing.length, 'destination')} ${verb} every event: the answers aren't 2xx`,
    `hookrelay destinations get ${first.endpointId} ${first.destinationId}`,
  );
}

function clock({ newestEventAt }: ContentFacts, { now }: DataContext): DoctorFinding {
  const check = 'clock';
  const time = new Date(now).toISOString();
  if (newestEventAt === null) return ok(check, `${time}; nothing to compare it with`);
  const age = newestEventAt - now;
  if (age <= CLOCK_TOLERANCE_MS) {
    return ok(check, `${time}, the newest event ${formatRelativeTime(Math.min(0, age))}`);
  }
  return warn(
    check,
    `${time}, but the newest event is from ${new Date(newestEventAt).toISOString()}: a clock was wrong`,
    'timedatectl status',
  );
}

const nameOf = ({ path }: StoredFile): string => basename(path);
const octal = ({ mode }: StoredFile): string => (mode ?? 0).toString(8).padStart(4, '0');
const names = (files: readonly StoredFile[]): string => files.map(nameOf).join(', ');
const paths = (files: readonly StoredFile[]): string => files.map(({ path }) => path).join(' ');
