import type { Config } from '../../config/config.ts';
import { listeningUrl } from '../../core/http/listening-url.ts';

export const ADDRESS_OPTIONS: ReadonlySet<string> = new Set(['--host', '--port']);

/** Of the running server, only the directory and the address are known. */
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
