import { useState } from 'preact/hooks';
import type { OverviewAnswer } from '../../../api/overview/overview-answer.ts';
import { counted, formatCount } from '../../../core/text/words.ts';
import { zone } from '../../model/clock.ts';
import { RANGE_TEXT } from '../../model/overview.ts';
import { Frame, plotOf } from '../../parts/chart/frame.tsx';
import { countLabel, niceTop } from '../../parts/chart/ticks.ts';
import { useWidth } from '../../parts/chart/use-width.ts';
import { exactTime } from '../../text/time-text.ts';

type Bucket = OverviewAnswer['buckets'][number];
type Counts = Bucket['events'];

/** The statuses in a bar, from bottom to top. */
const STACK = ['delivered', 'received', 'failed', 'dead_letter'] as const;
const WORDS: Record<(typeof STACK)[number], string> = {
  delivered: 'delivered',
  received: 'received',
  failed: 'failing',
  dead_letter: 'dead',
};

const sumOf = (counts: Counts): number => STACK.reduce((sum, name) => sum + counts[name], 0);

/** Returns the counts in words: `12 events: 10 delivered, 2 failing`. */
function countsText(counts: Counts): string {
  const parts = STACK.filter((name) => counts[name] > 0).map(
    (name) => `${formatCount(counts[name])} ${WORDS[name]}`,
  );
  return `${counted(sumOf(counts), 'event')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

/** Shows the events of the range by status. Each bar links to its events. */
export function EventChart({ overview }: { overview: OverviewAnswer }) {
  const { buckets, bucket_ms, range, totals } = overview;
  const [at, setAt] = useState<number | null>(null);
  const [box, width] = useWidth();
  const filled = buckets.flatMap((bucket, i) => (sumOf(bucket.events) > 0 ? [i] : []));
  const only = buckets[filled[0] ?? -1];
  if (filled.length < 2) {
    return (
      <p class="chart-sentence">
        {only ? (
          <>
            <a href={eventsOf(only, bucket_ms)}>{countsText(only.events)}</a>, all at{' '}
            {clockText(only.at)}.
          </>
        ) : (
          `No event ${RANGE_TEXT[range]}.`
        )}
      </p>
    );
  }
  const from = Date.parse(overview.from);
  const top = niceTop(Math.max(...buckets.map(({ events }) => sumOf(events))));
  const levels = ['0', countLabel(top / 2), countLabel(top)];
  const plot = plotOf(width, levels);
  const step = plot.width / buckets.length;
  const shown = at === null ? null : buckets[Math.min(at, buckets.length - 1)];
  const move = (to: number) => setAt(Math.max(0, Math.min(buckets.length - 1, to)));
  // Without a chosen bar, use the newest one.
  const target = shown ?? (buckets[filled.at(-1) ?? 0] as Bucket);
  const label = `${clockText(target.at)}: ${countsText(target.events)}. Arrow keys choose a bar`;
  return (
    <>
      <p class="chart-now">
        {shown ? `${clockText(shown.at)} · ${countsText(shown.events)}` : countsText(totals.events)}
      </p>
      <div class="chart" ref={box}>
        {width > 0 && (
          <>
            <Frame
              width={width}
              plot={plot}
              from={from}
              to={from + buckets.length * bucket_ms}
              levels={levels}
              label={`Events by status ${RANGE_TEXT[range]}: ${countsText(totals.events)}`}
            >
              {buckets.map((bucket, i) => (
                <g key={bucket.at} class={i === at ? 'is-chosen' : undefined}>
                  {i === at && (
                    <rect
                      class="chart-cursor"
                      x={plot.left + i * step}
                      y={plot.top}
                      width={step}
                      height={plot.height}
                    />
                  )}
                  <Bar
                    counts={bucket.events}
                    x={plot.left + i * step}
                    width={Math.max(1, step - (step > 4 ? 2 : 0.5))}
                    bottom={plot.top + plot.height}
                    pixels={plot.height / top}
                  />
                </g>
              ))}
            </Frame>
            <a
              class="chart-hit"
              style={{ left: `${plot.left}px` }}
              href={eventsOf(target, bucket_ms)}
              onPointerMove={(event) =>
                move(Math.floor((event.offsetX / event.currentTarget.clientWidth) * buckets.length))
              }
              onPointerLeave={() => setAt(null)}
              onFocus={() => setAt((before) => before ?? filled.at(-1) ?? 0)}
              onBlur={() => setAt(null)}
              onKeyDown={(event) => {
                const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
                const by = steps[event.key];
                if (by === undefined) return;
                event.preventDefault();
                move((at ?? buckets.length - 1) + by);
              }}
            >
              <span class="off-screen">{label}</span>
            </a>
          </>
        )}
      </div>
      <p class="legend muted" aria-hidden="true">
        {STACK.map((name) => (
          <span key={name}>
            <span class={`key is-${name}`} />
            {WORDS[name]}
          </span>
        ))}
      </p>
    </>
  );
}

interface BarProps {
  counts: Counts;
  x: number;
  width: number;
  bottom: number;
  /** The height per event, pixels. */
  pixels: number;
}

function Bar({ counts, x, width, bottom, pixels }: BarProps) {
  let y = bottom;
  return STACK.map((name) => {
    if (counts[name] === 0) return null;
    // At least 2 pixels, so that one failure among thousands is visible.
    const height = Math.max(2, counts[name] * pixels);
    y -= height;
    return <rect key={name} class={`bar is-${name}`} x={x} y={y} width={width} height={height} />;
  });
}

function eventsOf({ at }: Bucket, bucketMs: number): string {
  const to = new Date(Date.parse(at) + bucketMs).toISOString();
  return `/events?${new URLSearchParams({ from: at, to })}`;
}

/** Returns the start of a bar, to the minute: `2026-11-21 14:05`. */
const clockText = (at: string): string => exactTime(Date.parse(at), zone.value).slice(0, 16);
