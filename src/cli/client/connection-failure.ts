import { HookrelayError } from '../../core/errors.ts';
import { spellDuration } from '../../core/text/duration.ts';

/**
 * Returns `server_unreachable` with the reason and a hint.
 *
 * @param error fetch's error, whose causes have the reason
 * @param timeoutMs the deadline if it passed, otherwise null
 */
export function connectionFailure(
  error: unknown,
  url: string,
  timeoutMs: number | null,
): HookrelayError {
  if (timeoutMs !== null) {
    return new HookrelayError(
      'server_unreachable',
      `${url} did not answer within ${spellDuration(timeoutMs)}`,
      { hint: 'look at its log', cause: error },
    );
  }
  const code = codeIn(error);
  const [why, hint] = explain(code, url);
  return new HookrelayError('server_unreachable', `no hookrelay answers at ${url}${why}`, {
    hint,
    cause: error,
  });
}

const START = 'start one with hookrelay serve, or name another with --url or HOOKRELAY_URL';
const OTHER = 'name another with --url or HOOKRELAY_URL';

function explain(code: string | null, url: string): [why: string, hint: string] {
  switch (code) {
    case null:
      return ['', START];
    case 'ECONNREFUSED':
      return [': the connection is refused', START];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [`: there is no host with that name (${code})`, OTHER];
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return [': that port does not speak TLS', `try --url ${url.replace(/^https:/, 'http:')}`];
    default:
      if (/CERT|SELF_SIGNED|ISSUER/.test(code)) {
        return [
          `: its certificate is not trusted (${code})`,
          'name a CA file in NODE_EXTRA_CA_CERTS',
        ];
      }
      return [`: the connection failed (${code})`, START];
  }
}

/**
 * Looks in the causes, because fetch's own message is only "fetch failed". An `AggregateError` has
 * one error for each address.
 */
function codeIn(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
    if (at instanceof AggregateError && at.errors[0]) return codeIn(at.errors[0]);
  }
  return null;
}
