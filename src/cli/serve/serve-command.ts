import type { Command } from '@commander-js/extra-typings';
import { resolveConfig } from '../../config/config.ts';
import { addSettings, SETTING_NAMES } from '../../config/settings.ts';
import { unknownVariables } from '../../config/unknown-variables.ts';
import { createLogger } from '../../core/log/logger.ts';
import { LoggedFailure } from '../command-error.ts';

const EXAMPLES = `
A flag wins over its environment variable. The variable wins over the default.
HOOKRELAY_SECRET_KEY (at least 32 bytes) replaces secret.key in the data
directory.

While there is no account, a terminal shows the link to create the first one.
With --json the link follows the ready line: {"type":"setup","url":"…"}. Logs
never show the link.

Examples:
  $ hookrelay serve
  $ hookrelay serve --host 0.0.0.0 --public-url https://hooks.example.com --retention 90d
  $ HOOKRELAY_PORT=0 hookrelay serve --json --data-dir ./data
`;

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('run the server')
    .option('--json', 'print {"type":"ready","url":"…"} on stdout when ready')
    .addHelpText('after', EXAMPLES);
  addSettings(command, SETTING_NAMES).action(async (flags) => {
    const config = resolveConfig(flags);
    // Import late, because other commands and `--help` don't need the server.
    const { serve } = await import('../../server/serve.ts');
    const log = createLogger({ format: config.logFormat });
    for (const { name, nearest } of unknownVariables()) {
      const hint =
        nearest === null ? 'hookrelay serve --help lists all' : `did you mean ${nearest}?`;
      log.warn(`nothing reads the variable ${name}`, { hint });
    }
    await serve(config, log, { json: flags.json === true }).catch((error: unknown) => {
      throw config.logFormat === 'json' ? new LoggedFailure(error, log) : error;
    });
  });
}
