import { Option } from 'commander';
import type { Page } from '../../api/answers/page.ts';
import { wholeNumber } from '../arguments.ts';
import type { Output } from '../terminal/output.ts';
import { countText } from '../terminal/value-text.ts';

export interface PageFlags {
  limit?: number;
  page?: number;
}

/**
 * @param nouns of the listed things: `events`
 * @param most items of a page
 */
export function pageOptions(nouns: string, most: number): Option[] {
  return [
    new Option('--limit <number>', `${nouns} per page, at most ${most} (default: 50)`).argParser(
      wholeNumber(1, most),
    ),
    new Option('--page <number>', 'page number (default: 1)').argParser(
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    ),
  ];
}

/** Notes how many pages there are, if there are several. */
export function notePages(
  out: Output,
  noun: string,
  { data, page, limit, total }: Page<unknown>,
): void {
  if (data.length === total) return;
  const pages = Math.ceil(total / limit);
  const next = page < pages ? `; the next: --page ${page + 1}` : '';
  out.note(`${countText(total, noun)} in all, page ${page} of ${pages}${next}`);
}
