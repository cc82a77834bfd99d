import { HookrelayError } from '../../../core/errors.ts';
import type { Database } from './database.ts';
import { codeOf, explain } from './explain.ts';
import { checkPooler } from './pooling.ts';

/** PostgreSQL 15, the oldest tested version. */
const OLDEST_VERSION = 150_000;

interface ServerFacts {
  number: number;
  version: string;
  encoding: string;
  recovering: boolean;
}

/** The smallest number of connections that reveals how a pooler works. */
const ENOUGH_TO_TELL = 2;

/**
 * Checks the server and the pooler at the first connection. Throws `database_unusable` if one of
 * them can't keep the store's promises. Throws `storage_unavailable` if it can't be reached.
 *
 * @param sessions the number of sessions that a pooler must give at once
 */
export async function checkServer(
  db: Database,
  sessions = ENOUGH_TO_TELL,
): Promise<{ version: string }> {
  let facts: ServerFacts | undefined;
  try {
    await checkPooler(() => db.client(), sessions);
    [facts] = await db.rows<ServerFacts>(`
      SELECT current_setting('server_version_num')::integer AS number,
        current_setting('server_version') AS version,
        current_setting('server_encoding') AS encoding,
        pg_is_in_recovery() AS recovering`);
  } catch (error) {
    throw explainStart(explain(error));
  }
  const { number = 0, version = '', encoding, recovering } = facts ?? {};
  if (number < OLDEST_VERSION) {
    throw new HookrelayError(
      'database_unusable',
      `PostgreSQL ${version} is too old; 15 or later is needed`,
      { hint: 'upgrade the database server (pg_upgrade), or store in SQLite without --database' },
    );
  }
  if (encoding !== 'UTF8') {
    throw new HookrelayError(
      'database_unusable',
      `the database's encoding is ${encoding}; UTF8 is needed`,
      { hint: 'create another: createdb --encoding=UTF8 --template=template0 hookrelay' },
    );
  }
  if (recovering) {
    throw new HookrelayError(
      'database_unusable',
      'the database is a standby, which takes no writes',
      {
        hint: 'point --database (HOOKRELAY_DATABASE) at the primary',
      },
    );
  }
  return { version };
}

/** Returns an error that explains to the operator why the first connection failed. */
export function explainStart(error: unknown): unknown {
  const cause = error instanceof HookrelayError ? error.cause : error;
  if (cause === undefined) return error;
  const code = codeOf(cause);
  const message = messageOf(cause);
  const unusable = (what: string, hint: string) =>
    new HookrelayError('database_unusable', what, { hint, cause });
  // If no password is given, the driver fails with an error that has no code.
  if (/^28/.test(code) || /^SASL/.test(message)) {
    return unusable(
      `PostgreSQL refused the login: ${message}`,
      'check user and password in --database (HOOKRELAY_DATABASE), and pg_hba.conf on the server',
    );
  }
  if (code === '3D000') {
    return unusable(`there is no such database: ${message}`, 'create it: createdb hookrelay');
  }
  if (code === 'ERR_INVALID_URL' || /invalid url/i.test(message)) {
    return new HookrelayError(
      'config_invalid',
      '--database (HOOKRELAY_DATABASE) is not a valid URL',
      {
        hint: 'write postgres://user:password@host:5432/name, with %-escapes in user and password',
      },
    );
  }
  if (/SSL|certificate|self.signed/i.test(message)) {
    return unusable(
      `no TLS connection to PostgreSQL: ${message}`,
      'add sslmode=verify-full&sslrootcert=/path/ca.pem to the URL, or sslmode=disable on a private network',
    );
  }
  if (error instanceof HookrelayError && error.code === 'storage_unavailable') {
    return new HookrelayError('storage_unavailable', `PostgreSQL cannot be reached: ${message}`, {
      hint: 'check host and port in --database (HOOKRELAY_DATABASE), and that the server runs: pg_isready -h <host> -p <port>',
      cause,
    });
  }
  return error;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
