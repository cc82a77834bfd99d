import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';

/** The smallest width of elastic cells while optional columns are shown. */
const COMFORTABLE_CELL = 10;
/** The smallest width of elastic cells without optional columns. */
const NARROWEST_CELL = 6;
const GAP = '  ';

export interface Column<T> {
  title: string;
  value(row: T): string;
  /** Whether a narrow terminal may cut the cells. Never set for ids and codes. */
  elastic?: boolean;
  /** Whether a terminal may omit the column. The rightmost optional column is omitted first. */
  optional?: boolean;
  align?: 'right';
  paint?(text: string, row: T): string;
}

export interface Surface {
  /** Columns of the terminal; infinite in a pipe. */
  width: number;
  dim(text: string): string;
}

interface Fitted {
  shown: number[];
  widths: number[];
}

/**
 * Returns the lines of a table. If the table is too wide, narrows elastic columns, then omits
 * optional columns. If it still doesn't fit, writes rows as lines of `title: value`, because ids
 * must not be cut.
 *
 * @param inert removes control characters and line breaks
 */
export function tableLines<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  surface: Surface,
  inert: (text: string) => string,
): string[] {
  const cells = rows.map((row) => columns.map((column) => inert(column.value(row))));
  const fitted = fitColumns(columns, cells, surface.width);
  return fitted
    ? tabulated(rows, columns, cells, fitted, surface)
    : stacked(rows, columns, cells, surface);
}

function tabulated<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  cells: string[][],
  { shown, widths }: Fitted,
  { dim }: Surface,
): string[] {
  const place = (text: string, at: number) => {
    const side = columns[shown[at] as number]?.align === 'right' ? 'left' : 'right';
    const width = widths[at] as number;
    return padToWidth(cutToWidth(text, width), width, side);
  };
  const titles = shown.map((column, at) => place(titleOf(columns[column]), at));
  const lines = [dim(titles.join(GAP).trimEnd())];
  for (const [i, row] of rows.entries()) {
    const texts = shown.map((column, at) => {
      const text = place(cells[i]?.[column] as string, at);
      const placed = at === shown.length - 1 ? text.trimEnd() : text;
      return columns[column]?.paint?.(placed, row) ?? placed;
    });
    lines.push(texts.join(GAP).trimEnd());
  }
  return lines;
}

function stacked<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  cells: string[][],
  { width, dim }: Surface,
): string[] {
  const blocks = rows.map((row, i) =>
    columns.flatMap(({ title, paint, elastic }, column) => {
      const whole = cells[i]?.[column] as string;
      const text = elastic ? cutToWidth(whole, width - displayWidth(`${title}: `)) : whole;
      return text === '' ? [] : [`${dim(`${title}:`)} ${paint?.(text, row) ?? text}`];
    }),
  );
  return blocks.flatMap((block, i) => (i === 0 ? block : ['', ...block]));
}

function titleOf(column: Column<never> | undefined): string {
  return (column?.title ?? '').toUpperCase();
}

/** Chooses columns and their widths. Returns null if the table can't fit. */
function fitColumns<T>(
  columns: readonly Column<T>[],
  cells: string[][],
  width: number,
): Fitted | null {
  const natural = columns.map(({ title }, at) =>
    Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[at] as string))),
  );
  const isUseless = (at: number) =>
    Number.isFinite(width) && columns[at]?.optional && cells.every((row) => row[at] === '');
  let shown = columns.map((_, at) => at).filter((at) => !isUseless(at));
  for (;;) {
    const last = shown.findLast((at) => columns[at]?.optional);
    const widths = narrowed(
      shown.map((at) => natural[at] as number),
      shown.map((at) => columns[at]?.elastic === true),
      width - GAP.length * (shown.length - 1),
      last === undefined ? NARROWEST_CELL : COMFORTABLE_CELL,
    );
    if (widths) return { shown, widths };
    if (last === undefined) return null;
    shown = shown.filter((at) => at !== last);
  }
}

/** Narrows the widest elastic column repeatedly. Returns null if that isn't enough. */
function narrowed(
  widths: number[],
  elastic: boolean[],
  available: number,
  narrowest: number,
): number[] | null {
  const fitted = [...widths];
  let excess = fitted.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    let widest = -1;
    for (const [i, width] of fitted.entries()) {
      const canShrink = elastic[i] && width > narrowest;
      if (canShrink && (widest === -1 || width > (fitted[widest] as number))) widest = i;
    }
    if (widest === -1) return null;
    fitted[widest] = (fitted[widest] as number) - 1;
    excess--;
  }
  return fitted;
}
