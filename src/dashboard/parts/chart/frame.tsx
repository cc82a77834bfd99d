import type { ComponentChildren } from 'preact';
import { zone } from '../../model/clock.ts';
import { timeTicks } from './ticks.ts';

/** The place of a chart's data, pixels. */
export interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}

const HEIGHT_PX = 160;
const MARGIN = { left: 56, right: 8, top: 8, bottom: 24 };
/** Room for a time on the axis, pixels, and half the width of its text. */
const TICK_PX = 72;
const HALF_TEXT_PX = 18;

export function plotOf(width: number, right = MARGIN.right): Plot {
  return {
    left: MARGIN.left,
    top: MARGIN.top,
    width: Math.max(0, width - MARGIN.left - right),
    height: HEIGHT_PX - MARGIN.top - MARGIN.bottom,
  };
}

interface FrameProps {
  width: number;
  plot: Plot;
  /** Unix ms. */
  from: number;
  to: number;
  /** Labels of the lines from the bottom to the top, at equal distances. */
  levels: readonly string[];
  /** Labels of the same lines at the right side. */
  rightLevels?: readonly string[];
  label: string;
  children: ComponentChildren;
}

/** The axes of a chart over time. Colours are custom properties, so they follow the theme. */
export function Frame(props: FrameProps) {
  const { width, plot, from, to, levels, rightLevels, label, children } = props;
  const y = (i: number) => plot.top + plot.height * (1 - i / (levels.length - 1));
  const x = (at: number) => plot.left + (plot.width * (at - from)) / (to - from);
  const ticks = timeTicks(from, to, plot.width / TICK_PX, zone.value).filter(
    ({ at }) => x(at) + HALF_TEXT_PX <= width,
  );
  return (
    <svg class="chart-svg" width={width} height={HEIGHT_PX} role="img" aria-label={label}>
      {levels.map((text, i) => (
        <g key={i}>
          <line class="chart-line" x1={plot.left} x2={plot.left + plot.width} y1={y(i)} y2={y(i)} />
          <text class="chart-text" x={plot.left - 8} y={y(i) + 4} text-anchor="end">
            {text}
          </text>
          {rightLevels && (
            <text class="chart-text" x={plot.left + plot.width + 8} y={y(i) + 4}>
              {rightLevels[i]}
            </text>
          )}
        </g>
      ))}
      {ticks.map(({ at, text }) => (
        <text key={at} class="chart-text" x={x(at)} y={HEIGHT_PX - 6} text-anchor="middle">
          {text}
        </text>
      ))}
      {children}
    </svg>
  );
}
