import { HOUR_MS } from '../../../core/text/duration.ts';
import { Frame, plotOf } from './frame.tsx';
import { linePath } from './paths.ts';
import { durationLabel, niceDuration } from './ticks.ts';
import { useWidth } from './use-width.ts';
import '../../styles/chart.css';

const LEVELS = ['0 %', '50 %', '100 %'];

interface HourChartProps {
  /** When each hour starts, Unix seconds. */
  at: number[];
  /** Percent; null for an hour without an attempt. */
  success: (number | null)[];
  meanMs: (number | null)[];
}

/** Shows success rate and latency per hour. The text beside the chart states the numbers. */
export default function HourChart({ at, success, meanMs }: HourChartProps) {
  const [box, width] = useWidth();
  const from = (at[0] ?? 0) * 1000;
  const to = (at.at(-1) ?? 0) * 1000 + HOUR_MS;
  const top = niceDuration(Math.max(1, ...meanMs.filter((one) => one !== null)));
  const rightLevels = ['0', durationLabel(top / 2), durationLabel(top)];
  const plot = plotOf(width, LEVELS, rightLevels);
  const x = (i: number) => plot.left + (plot.width * (i + 0.5)) / at.length;
  const yOf = (most: number) => (value: number) =>
    plot.top + plot.height * (1 - Math.min(1, value / most));
  if (success.filter((one) => one !== null).length < 2) return null;
  return (
    <>
      <div ref={box} class="chart">
        {width > 0 && (
          <Frame
            width={width}
            plot={plot}
            from={from}
            to={to}
            levels={LEVELS}
            rightLevels={rightLevels}
            label="Success rate and mean latency of each hour"
          >
            <path class="chart-success" d={linePath(success, x, yOf(100))} />
            <path class="chart-mean" d={linePath(meanMs, x, yOf(top))} />
          </Frame>
        )}
      </div>
      <p class="legend muted" aria-hidden="true">
        <span>
          <span class="key is-rate" />
          success
        </span>
        <span>
          <span class="key is-latency" />
          mean latency
        </span>
      </p>
    </>
  );
}
