import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { HookrelayError } from '../core/errors.ts';

/**
 * Returns a directory in the XDG data home. Ignores a relative XDG_DATA_HOME, as the XDG
 * specification requires. Throws `config_invalid` if the user has no home.
 */
export function defaultDataDir(env: NodeJS.ProcessEnv): string {
  const dataHome = env.XDG_DATA_HOME;
  if (dataHome && isAbsolute(dataHome)) return join(dataHome, 'hookrelay');
  try {
    return join(homedir(), '.local', 'share', 'hookrelay');
  } catch (cause) {
    // In a container, the user id may have no passwd entry, and HOME may be unset.
    throw new HookrelayError('config_invalid', 'no data directory: this user has no home', {
      hint: 'set --data-dir or HOOKRELAY_DATA_DIR',
      cause,
    });
  }
}
