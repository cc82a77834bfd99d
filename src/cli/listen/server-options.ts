import type { Config } from '../../config.ts';
import { listeningUrl } from '../../core/http/listening-url.ts';

/** Options of a server that only say at which address it is. */
export const ADDRESS_OPTIONS: ReadonlySet<string> = new Set(['--host', '--port']);

/**
 * Those of the options typed that a server that runs on the data directory
 * already may not have: the directory is the same, its address is known, and of
 * all others nothing is.
 */
export function optionsNotMet(
  typed: readonly string[],
  config: Config,
  runningUrl: string,
): string[] {
  const isThere = config.port === 0 || listeningUrl(config) === runningUrl;
  return typed.filter(
    (option) => option !== '--data-dir' && !(isThere && ADDRESS_OPTIONS.has(option)),
  );
}
