import type { Command } from '@commander-js/extra-typings';
import { local, withAdmin } from './local-command.ts';
import { ProgressLine } from './progress-line.ts';

const ABOUT = `
No server may run on the data directory. The index only copies the events:
without it, search is exact but slower. After an interruption, the next server
completes the index. The next server also learns the types of events again, from
the oldest event on.

On PostgreSQL it works beside any number of nodes. Searches stay as exact and as
quick meanwhile. After an interruption, run it again.`;

export function addReindexCommand(program: Command): void {
  local(
    program
      .command('reindex')
      .description('rebuild the search index from the events')
      .addHelpText('after', ABOUT),
    'reindex',
  ).action(
    withAdmin(async ({ admin, out }) => {
      const started = performance.now();
      const held = await admin.exclusive({ make: false });
      const line = new ProgressLine();
      try {
        const indexed = await held.reindex(({ done, total }) =>
          line.show(`indexing: ${Math.floor((100 * done) / Math.max(1, total))} %`),
        );
        line.clear();
        const durationMs = Math.round(performance.now() - started);
        out.object({ indexed, duration_ms: durationMs }, () => [
          ['indexed', String(indexed)],
          ['took', `${(durationMs / 1000).toFixed(1)} s`],
        ]);
      } finally {
        line.clear();
        await held.release();
      }
    }),
  );
}
