import { isUtf8 } from 'node:buffer';
import { styleText } from 'node:util';
import type { EventHeadAnswer } from '../../../api/events/event-answer.ts';
import { hexLines } from '../../../core/text/hex-dump.ts';
import { formatSize } from '../../../core/text/size.ts';
import { sourceText } from '../../events/event-line.ts';
import { indentJson } from '../../terminal/json-text.ts';
import { dim, printable, printableLines } from '../../terminal/output.ts';
import { failureText, forwardText } from './forward-line.ts';
import type { ForwardRow } from './screen-state.ts';

export const PREVIEW_BYTES = 256 * 1024;
const HEX_BYTES = 512;

export function detailLines(row: ForwardRow, head: EventHeadAnswer, preview: Buffer): string[] {
  const { outcome } = row;
  const source = sourceText(head);
  const failure = outcome && failureText(outcome);
  const query = head.query === '' ? '' : `  ?${printable(head.query)}`;
  return [
    forwardText(row, { namesTarget: true }) + query,
    ...(failure === null ? [] : [failure]),
    dim(`${head.id}  ${head.received_at}  from ${printable(head.source_ip)}`),
    ...(source === '' ? [] : [dim(source)]),
    '',
    styleText('bold', 'Request'),
    ...head.raw_headers.map(([name, value]) => `${dim(`${printable(name)}:`)} ${printable(value)}`),
    '',
    ...bodyLines(preview, head),
    '',
    ...(outcome && outcome.responseCode !== null
      ? [
          styleText('bold', `Response ${outcome.responseCode}`),
          ...printableLines(outcome.responseBody ?? '').split('\n'),
        ]
      : []),
  ];
}

function bodyLines(preview: Buffer, { size, body_encoding }: EventHeadAnswer): string[] {
  if (size === 0) return [dim('(no body)')];
  const isWhole = preview.length >= size;
  const rest = isWhole ? [] : [dim(`… ${formatSize(preview.length)} of ${formatSize(size)}`)];
  if (body_encoding === 'base64') {
    const shown = preview.subarray(0, HEX_BYTES);
    return [dim(`(binary, ${formatSize(size)})`), ...hexLines(shown)];
  }
  // Half a character at the end becomes a replacement character, which does no harm.
  const text = preview.toString('utf8');
  const isWholeJson = isWhole && body_encoding === 'json' && isUtf8(preview);
  return [...printableLines(isWholeJson ? indentJson(text) : text).split('\n'), ...rest];
}
