import type { Page } from '../../api/list-page-answer.ts';
import { counted } from '../../core/text/words.ts';
import { wholeNumber } from '../arguments.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import type { Column, Output } from '../terminal/output.ts';

/**
 * Returns a part that adds the flags for a page of a list.
 *
 * @param nouns the items of the list, such as `events`
 * @param most the largest page
 */
export function pageFlags(nouns: string, most: number) {
  return commandPart((command) =>
    command
      .option(
        '--limit <number>',
        `${nouns} per page, at most ${most} (default: 50)`,
        wholeNumber(1, most),
      )
      .option(
        '--page <number>',
        'page number (default: 1)',
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      ),
  );
}

export type PageFlags = FlagsOf<ReturnType<typeof pageFlags>>;

export function showPage<T>(
  out: Output,
  noun: string,
  found: Page<T>,
  columns: readonly Column<T>[],
  empty: string,
): void {
  if (out.asJson(found)) return;
  out.rows(found.data, columns, found.total > 0 ? `This page has no ${noun}.` : empty);
  notePages(out, noun, found);
}

export function notePages(
  out: Output,
  noun: string,
  { data, page, limit, total }: Page<unknown>,
): void {
  if (data.length === total) return;
  const pages = Math.ceil(total / limit);
  const next = page < pages ? `; next: --page ${page + 1}` : '';
  out.note(`${counted(total, noun)} in all, page ${page} of ${pages}${next}`);
}
