import type { Config } from '../../config/config.ts';
import { listeningUrl } from '../../core/http/listening-url.ts';

/** Server options that set nothing but the address. */
export const ADDRESS_OPTIONS: ReadonlySet<string> = new Set(['--host', '--port']);

/**
 * Returns those typed options that the running server on the data directory may lack. This is every
 * option except its directory and its address, because nothing else is known about that server.
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
