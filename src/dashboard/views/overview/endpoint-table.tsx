import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { OverviewAnswer } from '../../../api/overview/overview-answer.ts';
import { counted, formatCount } from '../../../core/text/words.ts';
import { RANGE_TEXT } from '../../model/overview.ts';
import { endpointPath } from '../../model/router.ts';
import { Sparkline } from '../../parts/chart/sparkline.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Time } from '../../parts/time.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { ENDPOINT_STATE_TEXT, type EndpointLook, lookOf } from '../shell/endpoint-state.ts';

type Figures = OverviewAnswer['endpoints'][number];

interface EndpointTableProps {
  list: readonly EndpointAnswer[];
  /** Null while the overview loads. */
  overview: OverviewAnswer | null;
}

/** Shows how much each endpoint received, and how much of that failed. */
export function EndpointTable({ list, overview }: EndpointTableProps) {
  const all = overview && new Map(overview.endpoints.map((one) => [one.endpoint_id, one]));
  const words = RANGE_TEXT[overview?.range ?? 'day'];
  return (
    <ul class="endpoint-rows">
      {list.map((endpoint) => (
        <Row
          key={endpoint.id}
          endpoint={endpoint}
          look={lookOf(endpoint, all)}
          figures={all?.get(endpoint.id)}
          words={words}
        />
      ))}
    </ul>
  );
}

interface RowProps {
  endpoint: EndpointAnswer;
  look: EndpointLook;
  figures: Figures | undefined;
  words: string;
}

function Row({ endpoint, look, figures, words }: RowProps) {
  const { id, name, capture_url } = endpoint;
  const [mark, says] = ENDPOINT_STATE_TEXT[look];
  return (
    <li class="endpoint-row">
      <a class="endpoint-name" href={endpointPath(id)}>
        <span class={`mark is-${look}`} title={says} aria-hidden="true">
          {mark}
        </span>
        <Foreign class="cut" text={name} />
        <span class="off-screen">, {says}</span>
      </a>
      <Sparkline
        values={figures?.buckets ?? []}
        label={figures ? `${counted(figures.events, 'event')} ${words}` : 'loading'}
      />
      <span class="figure">{figures ? counted(figures.events, 'event') : '–'}</span>
      <span class="figure is-status">
        {figures && figures.failed > 0 && (
          <a class="badge is-failed" href={`/endpoints/${id}?status=failed`}>
            ▲ {formatCount(figures.failed)} failing
          </a>
        )}
        {figures && figures.dead_letter > 0 && (
          <a class="badge is-dead_letter" href={`/endpoints/${id}?status=dead_letter`}>
            ✕ {formatCount(figures.dead_letter)} dead
          </a>
        )}
      </span>
      <span class="figure muted">{figures?.last_at && <Time at={figures.last_at} />}</span>
      <CopyButton
        text={capture_url}
        label={`Copy the capture URL of ${isolated(name)}`}
        class="quiet"
      >
        <span class="off-screen">{capture_url}</span>
      </CopyButton>
    </li>
  );
}
