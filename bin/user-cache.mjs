import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The user's own cache folder (XDG). Not the temporary directory, where another
 * user could have put what is loaded from here.
 *
 * @throws where the user has no home directory
 */
export function userCache() {
  const base = process.env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(base) ? base : join(homedir(), '.cache'), 'hookrelay');
}
