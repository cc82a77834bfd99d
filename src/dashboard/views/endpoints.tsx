import { useRef } from 'preact/hooks';
import type { Endpoint } from '../../api/answers/endpoint.ts';
import { act, loadEndpoints, session } from '../model/page.ts';
import { navigate } from '../model/router.ts';
import { useShortcuts } from '../model/shortcuts.ts';
import type { EndpointStats } from '../model/types.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { useStats } from '../parts/use-stats.ts';
import { countText, plural } from '../text/format.ts';

export function Endpoints({ list }: { list: Endpoint[] }) {
  const name = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: 'n', title: 'New endpoint', group: 'Endpoints', run: () => name.current?.focus() },
  ]);
  const create = async (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const created = await act(() =>
      session.call<Endpoint>('POST', '/api/endpoints', {
        body: { name: String(new FormData(form).get('name')) },
      }),
    );
    if (!created) return;
    form.reset();
    await act(loadEndpoints);
    navigate(`/endpoints/${created.id}`);
  };
  return (
    <div class="page-body">
      <div class="page-head">
        <h1>Endpoints</h1>
        <form class="inline" onSubmit={create}>
          <input
            ref={name}
            name="name"
            aria-label="Name of the new endpoint"
            placeholder="Name"
            required
            maxLength={200}
          />
          <button type="submit" class="primary">
            New endpoint
          </button>
        </form>
      </div>
      {list.length === 0 && <p class="empty">There is no endpoint. Create one to receive.</p>}
      <ul class="cards">
        {list.map((endpoint) => (
          <Card key={endpoint.id} endpoint={endpoint} />
        ))}
      </ul>
    </div>
  );
}

function Card({ endpoint }: { endpoint: Endpoint }) {
  const { id, name, is_active, capture_url } = endpoint;
  const { value: stats } = useStats<EndpointStats>(id, 'stats');
  const total = stats ? Object.values(stats.totals).reduce((sum, count) => sum + count, 0) : null;
  const lastDay = stats ? stats.hours.reduce((sum, { events }) => sum + events, 0) : null;
  return (
    <li class="card">
      <div class="card-head">
        <a class="card-name" href={`/endpoints/${id}`}>
          {name}
        </a>
        {!is_active && <span class="badge is-paused">paused</span>}
        {stats && stats.totals.failed > 0 && (
          <a class="badge is-failed" href={`/endpoints/${id}?status=failed`}>
            ▲ {countText(stats.totals.failed)} failing
          </a>
        )}
        {stats && stats.totals.dead_letter > 0 && (
          <a class="badge is-dead_letter" href={`/endpoints/${id}?status=dead_letter`}>
            ✕ {plural(stats.totals.dead_letter, 'dead letter')}
          </a>
        )}
      </div>
      <div class="card-figures">
        <Sparkline
          values={stats?.hours.map(({ events }) => events) ?? []}
          label={lastDay === null ? 'loading' : `${plural(lastDay, 'event')} in the last 24 hours`}
        />
        <dl>
          <div>
            <dt>24 h</dt>
            <dd>{lastDay === null ? '–' : countText(lastDay)}</dd>
          </div>
          <div>
            <dt>all</dt>
            <dd>{total === null ? '–' : countText(total)}</dd>
          </div>
        </dl>
      </div>
      <div class="card-foot">
        <CopyButton text={capture_url} label={`Copy the capture URL of ${name}`} class="url">
          <span class="mono url-text">{capture_url}</span>
        </CopyButton>
      </div>
    </li>
  );
}
