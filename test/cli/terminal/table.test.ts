import { describe, expect, test } from 'vitest';
import { cutToWidth, displayWidth, padToWidth } from '../../../src/cli/terminal/display-width.ts';
import { printable } from '../../../src/cli/terminal/output.ts';
import { type Column, tableLines } from '../../../src/cli/terminal/table.ts';

describe('display width', () => {
  test.each([
    ['', 0],
    ['plain', 5],
    ['caf\u00e9', 4],
    ['cafe\u0301', 4],
    ['日本語', 6],
    ['한국', 4],
    ['ﾊﾝｶｸ', 4],
    ['👍', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['→', 1],
    ['a\u200bb', 2],
  ])('%s', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test('cut text fits, and no character is split', () => {
    expect(cutToWidth('orders', 6)).toBe('orders');
    expect(cutToWidth('orders', 5)).toBe('orde…');
    expect(cutToWidth('日本語', 5)).toBe('日本…');
    expect(cutToWidth('日本語', 4)).toBe('日…');
    for (let width = 1; width < 12; width++) {
      expect(displayWidth(cutToWidth('a日👩‍👩‍👧e\u0301本xyz', width))).toBeLessThanOrEqual(width);
    }
  });

  test('padding counts columns, not characters', () => {
    expect(padToWidth('日', 4, 'right')).toBe('日  ');
    expect(padToWidth('12', 4, 'left')).toBe('  12');
  });
});

interface Row {
  id: string;
  name: string;
  path: string;
  size: number;
}

const COLUMNS: Column<Row>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'name', value: ({ name }) => name, elastic: true },
  { title: 'path', value: ({ path }) => path, elastic: true, optional: true },
  { title: 'size', value: ({ size }) => String(size), optional: true, align: 'right' },
];

const ROWS: Row[] = [
  { id: 'evt_01m7ygcr1yfhe9cka3efzhr7er', name: 'orders 日本語の店', path: '/a/b/c', size: 5 },
  { id: 'evt_01m7ygcr3gfsn9xezz4xfdfcj8', name: 'x', path: `/${'long/'.repeat(30)}`, size: 1234 },
];

function lines(width: number, rows: Row[] = ROWS): string[] {
  return tableLines(rows, COLUMNS, { width, dim: (text) => text }, printable);
}

describe('a table', () => {
  test('is complete in a pipe', () => {
    const [title, first, second] = lines(Number.POSITIVE_INFINITY) as [string, string, string];
    expect(title).toMatch(/^ID {30}NAME {15}PATH .* SIZE$/);
    expect(first).toMatch(
      /^evt_01m7ygcr1yfhe9cka3efzhr7er {2}orders 日本語の店 {2}\/a\/b\/c .* {3}5$/,
    );
    expect(second).toContain('/long'.repeat(30));
  });

  test('fits every terminal, and never cuts an id', () => {
    for (let width = 200; width >= 40; width--) {
      const shown = lines(width);
      for (const line of shown) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      for (const { id } of ROWS) expect(shown.filter((line) => line.includes(id))).toHaveLength(1);
    }
  });

  test('drops columns last, before it gives up', () => {
    expect(lines(62)[0]).toMatch(/ID +NAME +PATH +SIZE/);
    expect(lines(56)[0]).toMatch(/ID +NAME +PATH$/);
    expect(lines(53)[0]).toMatch(/ID +NAME$/);
    expect(lines(53)[1]).toContain('orders 日本語の店');
    expect(lines(40)[1]).toMatch(/orders …$/);
  });

  test('drops columns without any value at a terminal', () => {
    const rows = ROWS.map((row) => ({ ...row, path: '' }));
    expect(lines(80, rows)[0]).toMatch(/ID +NAME +SIZE/);
    expect(lines(Number.POSITIVE_INFINITY, rows)[0]).toMatch(/ID +NAME +PATH +SIZE/);
  });

  test('becomes lines of names and values on a very narrow terminal', () => {
    expect(lines(34).slice(0, 6)).toEqual([
      'id: evt_01m7ygcr1yfhe9cka3efzhr7er',
      'name: orders 日本語の店',
      'path: /a/b/c',
      'size: 5',
      '',
      'id: evt_01m7ygcr3gfsn9xezz4xfdfcj8',
    ]);
  });

  test('shows senders’ text inertly, on one line', () => {
    const row = { id: 'a', name: '\u001b[31mred\u001b[0m\r\n\u0007\u202e', path: '', size: 0 };
    expect(lines(80, [row])[1]).toBe('a   red\\u000d\\u000a\\u0007\\u202e     0');
  });

  test('ignores colours in widths', () => {
    const column: Column<Row> = { title: 'x', value: () => 'ab', paint: (text) => `<${text}>` };
    const surface = { width: 80, dim: (text: string) => text };
    const columns = [column, { title: 'y', value: () => 'c' }];
    expect(tableLines(ROWS.slice(0, 1), columns, surface, printable)).toEqual(['X   Y', '<ab>  c']);
  });
});
