import type { OverviewAnswer } from '../../../api/overview/overview-answer.ts';
import { formatDuration } from '../../../core/text/duration.ts';
import { counted } from '../../../core/text/words.ts';
import { RANGE_TEXT } from '../../model/overview.ts';
import { Frame, plotOf } from '../../parts/chart/frame.tsx';
import { bandPath, linePath } from '../../parts/chart/paths.ts';
import { durationLabel, niceDuration } from '../../parts/chart/ticks.ts';
import { useWidth } from '../../parts/chart/use-width.ts';

/** Shows the duration of deliveries over the range: the median, and a band up to p99. */
export function LatencyChart({ overview }: { overview: OverviewAnswer }) {
  const { buckets, bucket_ms, range, totals } = overview;
  const [box, width] = useWidth();
  const { latency, sampled, attempts } = totals;
  if (latency === null) return <p class="chart-sentence">No delivery {RANGE_TEXT[range]}.</p>;
  const words = `p50 ${formatDuration(latency.p50)} · p95 ${formatDuration(latency.p95)} · p99 ${formatDuration(latency.p99)}`;
  const about = `${words}${sampled ? ', from a sample' : ''}`;
  if (buckets.filter((one) => one.latency).length < 2) {
    return (
      <p class="chart-sentence">
        {counted(attempts.succeeded + attempts.failed, 'attempt')}: {about}.
      </p>
    );
  }
  const from = Date.parse(overview.from);
  const of = (name: 'p50' | 'p95' | 'p99') => buckets.map((one) => one.latency?.[name] ?? null);
  const top = niceDuration(Math.max(1, ...of('p99').map((one) => one ?? 0)));
  const levels = ['0', durationLabel(top / 2), durationLabel(top)];
  const plot = plotOf(width, levels);
  const half = plot.width / buckets.length / 2;
  const x = (i: number) => plot.left + (plot.width * (i + 0.5)) / buckets.length;
  const y = (ms: number) => plot.top + plot.height * (1 - ms / top);
  return (
    <>
      <p class="chart-now">{about}</p>
      <div class="chart" ref={box}>
        {width > 0 && (
          <Frame
            width={width}
            plot={plot}
            from={from}
            to={from + buckets.length * bucket_ms}
            levels={levels}
            label={`Latency of deliveries ${RANGE_TEXT[range]}: ${words}`}
          >
            <path class="chart-band is-wide" d={bandPath(of('p50'), of('p99'), x, y, half)} />
            <path class="chart-band" d={bandPath(of('p50'), of('p95'), x, y, half)} />
            <path class="chart-edge" d={linePath(of('p99'), x, y, half)} />
            <path class="chart-median" d={linePath(of('p50'), x, y, half)} />
          </Frame>
        )}
      </div>
      <p class="legend muted" aria-hidden="true">
        <span>
          <span class="key is-median" />
          p50
        </span>
        <span>
          <span class="key is-band" />
          to p95
        </span>
        <span>
          <span class="key is-wide" />
          to p99
        </span>
      </p>
    </>
  );
}
