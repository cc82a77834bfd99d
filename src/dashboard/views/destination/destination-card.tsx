import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { DestinationStatsAnswer } from '../../../api/endpoints/destination-stats-answer.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { formatDuration } from '../../../core/text/duration.ts';
import { counted } from '../../../core/text/words.ts';
import { destinationPath } from '../../model/router.ts';
import { CodeChoice } from '../../parts/code/code-choice.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { Time } from '../../parts/time.tsx';
import { DestinationControl } from './destination-control.tsx';
import type { DestinationSetting } from './destination-fields.ts';
import { RECIPES } from './recipes.ts';

const HourChart = lazy(async () => (await import('../../parts/chart/hour-chart.tsx')).default);

type Hour = DestinationStatsAnswer['hours'][number];

interface DestinationCardProps {
  endpoint: EndpointAnswer;
  destination: DestinationAnswer;
  /** Null until they are known. */
  hours: Hour[] | null;
  onChanged(): void;
}

/** Shows a destination's state, its waiting deliveries, and its last 24 hours. */
export function DestinationCard({ endpoint, destination, hours, onChanged }: DestinationCardProps) {
  const [isRecipeOpen, setRecipeOpen] = useState(false);
  const { id, name, url } = destination;
  return (
    <li class="card destination">
      <DestinationControl
        endpoint={endpoint}
        destination={destination}
        hours={hours}
        onRecipe={() => setRecipeOpen(!isRecipeOpen)}
        onChanged={onChanged}
      >
        <a class="card-name wrap" href={destinationPath(endpoint.id, id)}>
          <Foreign text={name ?? url} />
        </a>
      </DestinationControl>
      {name !== null && (
        <p class="mono wrap">
          <Foreign text={url} />
        </p>
      )}
      <SettingsLine destination={destination} />
      {isRecipeOpen && <CodeChoice choices={RECIPES} label={(name) => `Verification in ${name}`} />}
      <Success hours={hours} />
    </li>
  );
}

/** The card's text for each setting. Null if another line or only the form shows the setting. */
const SAID: {
  [S in DestinationSetting]:
    | ((value: NonNullable<DestinationAnswer[S]>) => ComponentChildren)
    | null;
} = {
  filter: () => 'filtered',
  order_by: (path) => (
    <>in order of {path === '*' ? 'capture' : <span class="mono wrap">{path}</span>}</>
  ),
  name: null,
  state: null,
  path: null,
  timeout: null,
  retry: null,
  rate: null,
  concurrency: null,
  breaker: null,
  hold: null,
  sign_as: null,
};

/** Shows the settings in which a destination differs from a new one. */
function SettingsLine({ destination }: { destination: DestinationAnswer }) {
  const { secret, previous_expires_at, created_at, sign_as } = destination;
  return (
    <p class="muted">
      {secret === undefined ? (
        sign_as === null && 'not signed'
      ) : (
        <>signed, secret {<span class="mono">{secret}</span>}</>
      )}
      {previous_expires_at !== undefined && (
        <>
          , the old one too until <Time at={previous_expires_at} exact />
        </>
      )}
      {sign_as !== null && `${secret === undefined ? '' : ', and '}signed as the provider signs`}
      {(Object.keys(SAID) as DestinationSetting[]).map((name) => (
        <Said key={name} name={name} destination={destination} />
      ))}
      {' · added '}
      <Time at={created_at} form="said" />
    </p>
  );
}

interface SaidProps<S> {
  name: S;
  destination: DestinationAnswer;
}

function Said<S extends DestinationSetting>({ name, destination }: SaidProps<S>) {
  const say = SAID[name];
  const value = destination[name];
  return say && value !== null && value !== undefined ? <> · {say(value)}</> : null;
}

function Success({ hours }: { hours: Hour[] | null }) {
  if (!hours) return <p class="muted">Attempts in the last 24 hours: –</p>;
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const all = succeeded + failed;
  if (all === 0) return <p class="muted">No attempt in the last 24 hours.</p>;
  const spent = hours.reduce(
    (sum, hour) => sum + (hour.mean_ms ?? 0) * (hour.succeeded + hour.failed),
    0,
  );
  const slowest = Math.max(0, ...hours.map(({ max_ms }) => max_ms ?? 0));
  const isTrend = hours.filter((hour) => hour.succeeded + hour.failed > 0).length > 1;
  return (
    <>
      <p>
        <strong>{Math.floor((1000 * succeeded) / all) / 10} %</strong> of {counted(all, 'attempt')}{' '}
        in 24 h succeeded, in {formatDuration(spent / all)} on average, {formatDuration(slowest)} at
        most.
      </p>
      {/* A chart needs more than one point. */}
      {isTrend && <HourChart {...seriesOf(hours)} />}
    </>
  );
}

const seriesOf = (hours: Hour[]) => ({
  at: hours.map(({ at }) => Date.parse(at) / 1000),
  success: hours.map(({ succeeded, failed }) =>
    succeeded + failed === 0 ? null : (100 * succeeded) / (succeeded + failed),
  ),
  meanMs: hours.map(({ mean_ms }) => mean_ms),
});
