import type { ComponentChildren } from 'preact';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { OverviewAnswer } from '../../../api/overview/overview-answer.ts';
import { formatDuration } from '../../../core/text/duration.ts';
import { formatCount } from '../../../core/text/words.ts';
import { overview, rangeOf } from '../../model/overview.ts';
import { place } from '../../model/router.ts';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { NewEndpointButton } from '../shell/new-endpoint-button.tsx';
import { ViewHead } from '../shell/view-head.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { EventChart } from './event-chart.tsx';
import { LatencyChart } from './latency-chart.tsx';
import { Lists } from './lists.tsx';
import { RangeChoice } from './range-choice.tsx';
import { useWorstFirst } from './use-worst-first.ts';
import '../../styles/chart.css';
import '../../styles/overview.css';

/** Shows what arrived, failed and waits, for all endpoints together. */
export function OverviewView({ list }: { list: readonly EndpointAnswer[] }) {
  const { value, error } = overview.value;
  const isStale = value !== null && error === null && value.range !== rangeOf(place.value.query);
  const ordered = useWorstFirst(list, value);
  return (
    <div class="view">
      <ViewHead title="Overview" what="All endpoints" actions={<RangeChoice />} />
      <div class={`view-body overview${isStale ? ' renewing' : ''}`} aria-busy={isStale}>
        {list.length === 0 && <NoEndpoint />}
        {error && <Problem error={error} />}
        {value && (
          <>
            <Figures overview={value} />
            <div class="overview-charts">
              <section>
                <h2>Events by status</h2>
                <EventChart overview={value} />
              </section>
              <section>
                <h2>Latency of deliveries</h2>
                <LatencyChart overview={value} />
              </section>
            </div>
            <Lists overview={value} />
          </>
        )}
        {!value && !error && <p class="waiting">Loading …</p>}
        {value && list.length > 0 && (
          <section>
            <h2>Endpoints</h2>
            <EndpointTable list={ordered} overview={value} />
          </section>
        )}
      </div>
    </div>
  );
}

const STATUSES = [
  ['delivered', 'Delivered'],
  ['failed', 'Failing'],
  ['dead_letter', 'Dead'],
] as const;

function Figures({ overview: { totals, waiting, from } }: { overview: OverviewAnswer }) {
  const { events, latency } = totals;
  const those = (status?: string) =>
    `/events?${new URLSearchParams({ ...(status !== undefined && { status }), from })}`;
  const all = events.received + events.delivered + events.failed + events.dead_letter;
  return (
    <dl class="overview-figures">
      <Figure name="Events" href={all > 0 && those()}>
        {formatCount(all)}
      </Figure>
      {STATUSES.map(([status, name]) => (
        <Figure
          key={status}
          name={name}
          look={events[status] > 0 ? status : undefined}
          href={events[status] > 0 && those(status)}
        >
          {formatCount(events[status])}
        </Figure>
      ))}
      <Figure
        name="Waiting"
        href={waiting.count > 0 && '/events?waiting=true'}
        about={
          waiting.oldest_at !== null && (
            <>
              up to <Time at={waiting.oldest_at} form="span" />
            </>
          )
        }
      >
        {waiting.at_least && 'over '}
        {formatCount(waiting.count)}
      </Figure>
      <Figure name="Latency p95">{latency ? formatDuration(latency.p95) : '–'}</Figure>
    </dl>
  );
}

interface FigureProps {
  name: string;
  look?: string | undefined;
  about?: ComponentChildren;
  /** The address of what the number counts. */
  href?: string | false;
  children: ComponentChildren;
}

function Figure({ name, look, about, href, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={look && `is-${look}`}>
        {href ? <a href={href}>{children}</a> : children}
        {about && <small class="muted"> {about}</small>}
      </dd>
    </div>
  );
}

export function NoEndpoint() {
  return (
    <div class="empty">
      <p>There is no endpoint. Create one to receive webhooks.</p>
      <NewEndpointButton />
    </div>
  );
}
