import { short } from './figures.ts';
import { type CpuPerUnit, type Row, reaches, type Target } from './measurement.ts';

export interface Section {
  measurement: string;
  rows: Row[];
}

const HEAD = [
  'work',
  'result',
  'min–max',
  'target',
  'reached',
  'hookrelay',
  'against',
  'CPU time',
  'notes',
];
const RESULT_COLUMN = 1;

/** All rows in one Markdown table: rows with a target first, ratios before absolute figures. */
export function renderTable(sections: readonly Section[], judged: boolean): string {
  const rows = sections
    .flatMap(({ measurement, rows }) => rows.map((row) => ({ measurement, ...row })))
    .sort((a, b) => rank(a) - rank(b));
  const lines = [HEAD, ...rows.map((row) => cells(row, judged))];
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => (line[i] as string).length)));
  const rule = widths.map((width, i) =>
    i === RESULT_COLUMN ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  lines.splice(1, 0, rule);
  return lines
    .map((line) => {
      const padded = line.map((cell, i) =>
        i === RESULT_COLUMN ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number),
      );
      return `| ${padded.join(' | ')} |`;
    })
    .join('\n');
}

function cells(row: Row & { measurement: string }, judged: boolean): string[] {
  const { result, target, cpu } = row;
  const unit = result.kind === 'ratio' ? ' ×' : ` ${result.unit}`;
  return [
    `${row.measurement}: ${row.label}`,
    `${short(result.median)}${unit}`,
    result.min === result.max ? '' : `${short(result.min)}–${short(result.max)}`,
    target ? targetText(target, unit) : '',
    target ? verdict(row, judged) : '',
    row.ours,
    row.against,
    cpu ? cpuText(cpu) : '',
    row.shortfall === undefined ? row.notes : `${row.shortfall}; ${row.notes}`,
  ];
}

function rank({ result, target }: Row): number {
  return (target ? 0 : 2) + (result.kind === 'ratio' ? 0 : 1);
}

function targetText(target: Target, unit: string): string {
  return 'atLeast' in target
    ? `≥ ${short(target.atLeast)}${unit}`
    : `≤ ${short(target.atMost)}${unit}`;
}

function verdict(row: Row, judged: boolean): string {
  if (!judged) return 'not judged';
  return reaches(row) ? 'yes' : 'MISSED';
}

function cpuText({ unit, oursUs, againstUs }: CpuPerUnit): string {
  return `${short(oursUs)} µs a ${unit}, ${short(oursUs / againstUs)} × ${short(againstUs)} µs`;
}
