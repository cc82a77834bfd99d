import { short } from '../../bench/harness/figures.ts';
import { spread } from '../../bench/harness/statistics.ts';

/** Values of a measurement by what they are, with the unit. Several of a round are its median. */
export type Figures = Record<string, number[]>;

/** The values of all rounds of one side. */
export class Recorded {
  readonly byLabel = new Map<string, number[]>();

  add(figures: Figures): void {
    for (const [label, values] of Object.entries(figures)) {
      this.byLabel.set(label, [...(this.byLabel.get(label) ?? []), spread(values).median]);
    }
  }
}

/** A Markdown table: the median of the rounds, least and most beside it, and the ratio. */
export function renderFigures(sides: readonly { name: string; recorded: Recorded }[]): string {
  const labels = [...new Set(sides.flatMap(({ recorded }) => [...recorded.byLabel.keys()]))];
  const [first, second] = sides;
  const lines = [
    ['what', ...sides.map(({ name }) => name), ...(second ? ['ratio of pairs'] : [])],
    ...labels.map((label) => [
      label,
      ...sides.map(({ recorded }) => cell(recorded.byLabel.get(label))),
      ...(first && second
        ? [ratio(second.recorded.byLabel.get(label), first.recorded.byLabel.get(label))]
        : []),
    ]),
  ];
  const widths = (lines[0] as string[]).map((_, i) =>
    Math.max(...lines.map((line) => (line[i] as string).length)),
  );
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  return lines
    .map((line) => `| ${line.map((text, i) => text.padEnd(widths[i] as number)).join(' | ')} |`)
    .join('\n');
}

function cell(values: readonly number[] | undefined): string {
  if (!values) return '';
  const { median, min, max } = spread(values);
  return min === max ? short(median) : `${short(median)} (${short(min)}–${short(max)})`;
}

/** Round by round: other work on the machine disturbs both of a pair. */
function ratio(over: readonly number[] | undefined, under: readonly number[] | undefined): string {
  if (!over || !under || under.some((value) => value === 0)) return '';
  const { median, min, max } = spread(over.map((value, i) => value / (under[i] as number)));
  return `${short(median)} × (${short(min)}–${short(max)})`;
}
