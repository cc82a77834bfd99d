import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The user's own cache folder (XDG), which this makes where it is missing. Not the
 * temporary directory, where another user could have put what is loaded from here.
 *
 * @throws where the user has no home directory, or the folder can't be made
 */
export function userCache() {
  const configured = process.env.XDG_CACHE_HOME ?? '';
  const base = isAbsolute(configured) ? configured : join(homedir(), '.cache');
  // One by one: below /proc, a recursive mkdir tries for ever, Node's own for compiled code too.
  return made(join(made(base), 'hookrelay'));
}

function made(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  return folder;
}
