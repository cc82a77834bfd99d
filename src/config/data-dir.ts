import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { HookrelayError } from '../core/errors.ts';

/** In the XDG data home. The XDG specification says to ignore a relative XDG_DATA_HOME. */
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
