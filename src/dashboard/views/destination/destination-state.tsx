import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { DestinationStatsAnswer } from '../../../api/endpoints/destination-stats-answer.ts';
import { zone } from '../../model/clock.ts';
import { useNow } from '../../parts/hooks/use-now.ts';
import { healthText, waitingText } from '../../text/destination-condition.ts';
import { throughText } from './waiting-end.ts';

/** Shows the state of a destination. Shows nothing if it is active and healthy. */
export function StateBadges({ state, health }: Pick<DestinationAnswer, 'state' | 'health'>) {
  return (
    <>
      {state !== 'active' && <span class="badge is-paused">‖ {state}</span>}
      {health.state === 'open' && <span class="badge is-dead">✕ breaker open</span>}
      {health.state === 'refusing' && <span class="badge is-dead">✕ refusing</span>}
      {health.state === 'failing' && <span class="badge is-failed">▲ failing</span>}
    </>
  );
}

interface ConditionLineProps {
  destination: DestinationAnswer;
  /** Null until they are known. */
  hours: DestinationStatsAnswer['hours'] | null;
}

/** Shows the health, the waiting deliveries, and an estimate of when these will be sent. */
export function ConditionLine({ destination, hours }: ConditionLineProps) {
  const { health, waiting } = destination;
  const now = useNow(health.next_probe_at !== null || waiting.count > 0);
  const through = throughText(destination, hours, now);
  return (
    <p>
      <span class={health.state === 'healthy' ? 'muted' : `condition is-${health.state}`}>
        {healthText(health, now, zone.value)}
      </span>
      <span class="muted"> · {waitingText(waiting, now, zone.value)}</span>
      {through !== null && (
        <span class="muted" title="An estimate: retries and new events change it">
          {' · '}
          {through}
        </span>
      )}
    </p>
  );
}
