import { short } from './figures.ts';
import { type Row, reaches, type Target } from './measurement.ts';

export interface Section {
  measurement: string;
  rows: Row[];
}

const HEAD = ['', 'result', 'min–max', 'target', 'reached', 'measured'];

/** All rows in one table: what has a target first, ratios before absolute figures. */
export function renderTable(sections: readonly Section[], judged: boolean): string {
  const rows = sections
    .flatMap(({ measurement, rows }) => rows.map((row) => ({ measurement, ...row })))
    .sort((a, b) => rank(a) - rank(b));
  const lines = [
    HEAD,
    ...rows.map((row) => {
      const { result, target } = row;
      const unit = result.kind === 'ratio' ? '×' : ` ${result.unit}`;
      const range = result.min === result.max ? '' : `${short(result.min)}–${short(result.max)}`;
      return [
        `${row.measurement}: ${row.label}`,
        `${short(result.median)}${unit}`,
        range,
        target ? targetText(target, unit) : '',
        target ? verdict(row, judged) : '',
        row.measured,
      ];
    }),
  ];
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => (line[i] as string).length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) =>
          i === 1 ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function rank({ result, target }: Row): number {
  return (target ? 0 : 2) + (result.kind === 'ratio' ? 0 : 1);
}

function targetText(target: Target, unit: string): string {
  return 'atLeast' in target ? `≥ ${target.atLeast}${unit}` : `≤ ${target.atMost}${unit}`;
}

function verdict({ result, target }: Row, judged: boolean): string {
  if (!judged) return 'not judged (quick)';
  return target && reaches(result, target) ? 'yes' : 'missed';
}
