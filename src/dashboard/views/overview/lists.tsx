import type { ComponentChildren } from 'preact';
import type { OverviewAnswer } from '../../../api/overview/overview-answer.ts';
import { counted, formatCount } from '../../../core/text/words.ts';
import { endpointPath } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Time } from '../../parts/time.tsx';

/** Shows open issues, destinations that don't deliver, and silent endpoints. */
export function Lists({ overview }: { overview: OverviewAnswer }) {
  const { issues, destinations, silent } = overview;
  return (
    <div class="overview-lists">
      <List
        title="Open issues"
        count={issues.open}
        none="No issue is open."
        more={issues.open > issues.newest.length ? '/issues' : null}
      >
        {issues.newest.map(({ id, title, last_at, count }) => (
          <li key={id}>
            <a href={`/issues/${id}`}>
              <Foreign class="cut" text={title} />
              <span class="muted">
                {counted(count, 'time')} · <Time at={last_at} />
              </span>
            </a>
          </li>
        ))}
      </List>
      <List
        title="Destinations that don’t deliver"
        count={destinations.length}
        none="No destination is paused, failing, refusing or on hold."
      >
        {destinations.map(({ id, endpoint_id, name, url, state, health, waiting }) => (
          <li key={id}>
            <a href={endpointPath(endpoint_id, 'destinations')}>
              <Foreign class="cut" text={name ?? url} />
              <span class="muted">
                {conditionText(state, health.state)}
                {health.since !== null && (
                  <>
                    {' for '}
                    <Time at={health.since} form="span" />
                  </>
                )}
                {waiting.count > 0 &&
                  ` · ${waiting.at_least ? 'over ' : ''}${formatCount(waiting.count)} wait`}
              </span>
            </a>
          </li>
        ))}
      </List>
      <List title="Silent endpoints" count={silent.length} none="No endpoint is overdue.">
        {silent.map(({ endpoint_id, name, last_at, expect_every }) => (
          <li key={endpoint_id}>
            <a href={endpointPath(endpoint_id)}>
              <Foreign class="cut" text={name} />
              <span class="muted">
                {last_at === null ? (
                  'no event yet'
                ) : (
                  <>
                    silent for <Time at={last_at} form="span" />
                  </>
                )}
                {expect_every !== null && ` · expected every ${expect_every}`}
              </span>
            </a>
          </li>
        ))}
      </List>
    </div>
  );
}

function conditionText(state: string, health: string): string {
  if (state !== 'active') return state;
  return health === 'open' ? 'on hold' : health;
}

interface ListProps {
  title: string;
  count: number;
  /** The sentence for an empty list. */
  none: string;
  /** The address of the complete list. */
  more?: string | null;
  children: ComponentChildren;
}

function List({ title, count, none, more = null, children }: ListProps) {
  return (
    <section>
      <h2>
        {title} {count > 0 && <span class="count">{formatCount(count)}</span>}
      </h2>
      {count === 0 ? <p class="muted">{none}</p> : <ul class="link-rows">{children}</ul>}
      {more && <a href={more}>All {formatCount(count)}</a>}
    </section>
  );
}
