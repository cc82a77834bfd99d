import { useEffect, useRef } from 'preact/hooks';
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';

const HEIGHT_PX = 130;

interface HourChartProps {
  /** Start of each hour, Unix seconds. */
  at: number[];
  success: (number | null)[];
  meanMs: (number | null)[];
  /** The theme. A change redraws the chart. */
  theme: string;
}

/** Success rate and latency per hour. The text beside the chart has the figures. */
export default function HourChart({ at, success, meanMs, theme }: HourChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const style = getComputedStyle(element);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--muted'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
    };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT_PX,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          rate: { range: [0, 100] },
          ms: { range: (_, __, most) => [0, Math.max(1, most) * 1.1] },
        },
        axes: [
          {
            ...axis,
            size: 26,
            space: 60,
            values: (_, ticks) => ticks.map((tick) => `${new Date(tick * 1000).getHours()}:00`),
          },
          {
            ...axis,
            scale: 'rate',
            size: 44,
            values: (_, ticks) => ticks.map((tick) => `${tick}%`),
          },
          {
            ...axis,
            scale: 'ms',
            side: 1,
            size: 52,
            grid: { show: false },
            values: (_, ticks) => ticks.map((tick) => `${tick} ms`),
          },
        ],
        series: [
          {},
          {
            scale: 'rate',
            stroke: colour('--good'),
            width: 2,
            points: { show: true, size: 5, fill: colour('--good') },
          },
          {
            scale: 'ms',
            stroke: colour('--accent'),
            width: 1.5,
            dash: [4, 3],
            points: { show: true, size: 4, fill: colour('--accent') },
          },
        ],
      },
      [at, success, meanMs],
      element,
    );
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [at, success, meanMs, theme]);
  return <div ref={box} class="chart" aria-hidden="true" />;
}
