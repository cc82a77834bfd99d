import type { SystemAnswer as SystemFacts } from '../../../api/system/system-answer.ts';
import { formatSize } from '../../../core/text/size.ts';
import { counted } from '../../../core/text/words.ts';
import { Facts } from '../../parts/facts.tsx';
import { useCall } from '../../parts/hooks/use-call.ts';
import { useReloadWhileVisible } from '../../parts/hooks/use-reload-while-visible.ts';
import { Pending } from '../../parts/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { Plan } from '../account/plan.tsx';
import { CheckRow } from './check-row.tsx';

/** The polling interval, ms. The server runs its checks at most once in 10 s. */
const POLL_MS = 15_000;

/** Shows the server's versions, its disk and index, and the results of its checks. */
export function System() {
  const loaded = useCall('GET /api/system');
  const { value, reload } = loaded;
  useReloadWhileVisible(reload, POLL_MS);
  return (
    <>
      <Pending {...loaded} />
      {value && (
        <>
          <section>
            <h2>Checks</h2>
            <p class="muted">{summaryOf(value)}</p>
            <ul class="rows">
              {value.checks.map((check) => (
                <CheckRow key={check.name} check={check} />
              ))}
            </ul>
          </section>
          <Figures system={value} />
        </>
      )}
      <Plan />
    </>
  );
}

function summaryOf({ checks }: SystemFacts): string {
  const failed = checks.filter(({ state }) => state === 'fail').length;
  const warned = checks.filter(({ state }) => state === 'warn').length;
  if (failed + warned === 0) return 'All is well.';
  return [
    failed > 0 && counted(failed, 'check failed', 'checks failed'),
    warned > 0 && counted(warned, 'warning'),
  ]
    .filter(Boolean)
    .join(', ');
}

function Figures({ system }: { system: SystemFacts }) {
  const { version, node_version, store, started_at, disk, database_bytes, index } = system;
  return (
    <section>
      <h2>Server</h2>
      <Facts
        class="system-figures"
        of={[
          ['Version', `hookrelay ${version}`],
          ['Node', node_version.replace(/^v/, '')],
          ['Store', store],
          ['Up for', <Time key="up" at={started_at} form="span" />],
          [
            'Disk',
            disk
              ? `${formatSize(disk.free_bytes)} free of ${formatSize(disk.total_bytes)}`
              : 'the database server’s own',
          ],
          ['Database', formatSize(database_bytes)],
          [
            'Search index',
            index.behind === 0 ? 'up to date' : `${counted(index.behind, 'event')} behind`,
          ],
        ]}
      />
    </section>
  );
}
