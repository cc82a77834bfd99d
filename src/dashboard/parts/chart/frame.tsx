import type { ComponentChildren } from 'preact';
import { zone } from '../../model/clock.ts';
import { timeTicks } from './ticks.ts';

/** The area of a chart's data, pixels. */
interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}

const HEIGHT_PX = 160;
const MARGIN = { right: 8, top: 8, bottom: 24 };
/** The distance of a label from its line, and the width of a label's widest character, pixels. */
const LABEL_GAP_PX = 8;
const CHARACTER_PX = 8;
/** The width for a time on the axis, and half the width of its text, pixels. */
const TICK_PX = 72;
const HALF_TEXT_PX = 18;

/** The least width for labels, pixels. It aligns charts above each other unless a label is long. */
const LEAST_ROOM_PX = 56;

const roomOf = (labels: readonly string[]): number =>
  Math.max(
    LEAST_ROOM_PX,
    LABEL_GAP_PX + CHARACTER_PX * Math.max(...labels.map(({ length }) => length)),
  );

/** Returns the area of the data, between the labels on both sides. */
export function plotOf(
  width: number,
  levels: readonly string[],
  rightLevels: readonly string[] = [],
): Plot {
  const left = roomOf(levels);
  const right = rightLevels.length === 0 ? MARGIN.right : roomOf(rightLevels);
  return {
    left,
    top: MARGIN.top,
    width: Math.max(0, width - left - right),
    height: HEIGHT_PX - MARGIN.top - MARGIN.bottom,
  };
}

interface FrameProps {
  width: number;
  plot: Plot;
  /** Unix ms. */
  from: number;
  to: number;
  /** The labels of the horizontal lines, from bottom to top, at equal distances. */
  levels: readonly string[];
  /** The labels of the same lines on the right side. */
  rightLevels?: readonly string[];
  label: string;
  children: ComponentChildren;
}

/** Draws the axes of a chart over time. Colours are custom properties, which follow the theme. */
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
          <text class="chart-text" x={plot.left - LABEL_GAP_PX} y={y(i) + 4} text-anchor="end">
            {text}
          </text>
          {rightLevels && (
            <text class="chart-text" x={plot.left + plot.width + LABEL_GAP_PX} y={y(i) + 4}>
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
