import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The user's cache folder (XDG), created if missing. Code is loaded from it. The
 * temporary directory is unsafe for that: another user could put files there.
 *
 * @throws if the user has no home directory, or the folder can't be created
 */
export function userCache() {
  const configured = process.env.XDG_CACHE_HOME ?? '';
  const base = isAbsolute(configured) ? configured : join(homedir(), '.cache');
  // Not recursive: below /proc, Node's recursive mkdir loops forever.
  return created(join(created(base), 'hookrelay'));
}

function created(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  return folder;
}
