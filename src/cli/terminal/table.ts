import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';

/** Narrower than this, columns of the terminal, an elastic cell says little: others go first. */
const COMFORTABLE_CELL = 10;
/** A cell is never cut to less than this. */
const NARROWEST_CELL = 6;
const GAP = '  ';

export interface Column<T> {
  title: string;
  value(row: T): string;
  /** May be cut when the terminal is narrow; ids and codes may not. */
  elastic?: boolean;
  /** Left out when the terminal has no room for it (the rightmost goes first), or when it is empty. */
  optional?: boolean;
  /** Numbers stand under one another. */
  align?: 'right';
  /** Escape sequences around the cell, where there are colours. */
  paint?(text: string, row: T): string;
}

/** What a table's lines may take, columns; infinite where nobody looks at it. */
export interface Surface {
  width: number;
  /** Of titles. */
  dim(text: string): string;
}

interface Fitted {
  /** Which columns are shown, as indices. */
  shown: number[];
  /** Of those, in their order. */
  widths: number[];
}

/**
 * Lines of a table. Where it is too wide, elastic columns are narrowed, as far as
 * they still say something, then optional ones left out; where even that doesn't
 * help, each row becomes lines of `title: value` of its own, because half an id
 * is no id.
 *
 * @param inert makes a value harmless to a terminal, and one line
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
      // The last one's filling is nobody's use.
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

/** Null when nothing helps. */
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

/** Takes from the widest elastic column, again and again; null when there is nothing left to take. */
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
