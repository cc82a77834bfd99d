import { HookrelayError } from '../../../core/errors.ts';

/** The `Retry-After` while the database is away, s. A failover takes about that long. */
const AWAY_RETRY_S = 5;

/** SQLSTATEs of a database that can't be reached or isn't the primary. */
const AWAY = /^(08|57P0[123]|25006|53300|3D000)/;
const NETWORK =
  /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOENT|EACCES|CERT_|ERR_TLS|ERR_SSL)/;
/** Messages of driver errors that have no code. */
const DRIVER =
  /connection terminated|client has encountered a connection error|timeout (exceeded|expired)|query read timeout|connection ended|not queryable|server does not support ssl/i;

/**
 * Throw this to run the transaction again, because another transaction changed what this one read.
 */
export class Repeat extends Error {
  readonly code = '40001';
}

/** Returns whether the transaction can run again, because another transaction aborted it. */
export function isRepeatable(error: unknown): boolean {
  return /^40(001|P01)$/.test(codeOf(error));
}

/** Returns an error for callers. An unreachable database becomes `storage_unavailable` (503). */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof HookrelayError) return error;
  const code = codeOf(error);
  if (isAway(error)) {
    return new HookrelayError('storage_unavailable', 'the database cannot be reached', {
      hint: 'the server continues by itself when the database is back',
      retryAfterS: AWAY_RETRY_S,
      cause: error,
    });
  }
  if (/^(53100|53200|58030)$/.test(code)) {
    return new HookrelayError('storage_full', 'the storage took no more data', {
      hint: 'free disk space on the database server; capture goes on by itself',
      retryAfterS: 30,
      cause: error,
    });
  }
  if (/^(57014|55P03|40001|40P01)$/.test(code)) {
    return new HookrelayError('overloaded', 'the database is busy', {
      retryAfterS: 1,
      cause: error,
    });
  }
  return error;
}

export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (error instanceof AggregateError) return error.errors.some(isAway) || NETWORK.test(code);
  return AWAY.test(code) || NETWORK.test(code) || (code === '' && DRIVER.test(error.message));
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
