import type { Config } from '../config/config.ts';
import { packageVersion } from '../core/runtime/resource.ts';
import type { LogFields, Logger } from '../core/runtime/runtime.ts';
import type { RunningServer } from './compose-server.ts';

/**
 * Prints that the server is ready, and where to create its first account.
 *
 * With `json`, stdout gets `{"type":"ready","url":"…"}`. If no account exists, stdout also gets
 * `{"type":"setup","url":"…"}`.
 *
 * Anyone who reads the link to the first account can create that account, and logs are stored. So
 * stderr shows the link only on a terminal.
 */
export function announceStart(
  { url, firstAccountUrl }: Pick<RunningServer, 'url' | 'firstAccountUrl'>,
  config: Pick<Config, 'logFormat' | 'database' | 'dataDir'>,
  log: Logger,
  { json, isTerminal = process.stderr.isTTY === true }: { json: boolean; isTerminal?: boolean },
): void {
  const say = (text: string, fields?: LogFields) => {
    if (config.logFormat === 'json') log.info(text, fields);
    else process.stderr.write(`${text}\n`);
  };
  const print = (value: object) => {
    if (json) process.stdout.write(`${JSON.stringify(value)}\n`);
  };
  say(`hookrelay ${packageVersion()} is ready at ${url}`, { url });
  print({ type: 'ready', url });
  if (firstAccountUrl === null) return;
  print({ type: 'setup', url: firstAccountUrl });
  if (isTerminal) {
    say(`hookrelay has no account yet: create the first one at ${firstAccountUrl}`);
  } else if (!json) {
    const store = config.database === null ? ` --data-dir ${config.dataDir}` : '';
    say(
      `hookrelay has no account yet: create the first one with ` +
        `"hookrelay users create --email EMAIL${store}", or start the server on a terminal ` +
        `or with --json to get a link for it`,
    );
  }
}
