import type { Command } from 'commander';
import { resolveConfig, type ServeFlags, serveOptions } from '../config.ts';

const EXAMPLES = `
A flag wins over its environment variable, which wins over the default.
HOOKRELAY_SECRET_KEY (at least 32 bytes) replaces secret.key in the data directory.

Examples:
  $ hookrelay serve
  $ hookrelay serve --host 0.0.0.0 --public-url https://hooks.example.com --retention 90d
  $ HOOKRELAY_PORT=0 hookrelay serve --json --data-dir ./data
`;

/** `hookrelay serve`: the server, until a signal ends it. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('run the server')
    .option('--json', 'print {"type":"ready","url":"…"} on stdout when ready')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ServeFlags & { json?: boolean }) => {
      const config = resolveConfig(flags);
      // Only now: the other commands and --help needn't load the server.
      const { serve } = await import('../serve.ts');
      await serve(config, { json: flags.json === true });
    });
  for (const option of serveOptions()) command.addOption(option);
}
