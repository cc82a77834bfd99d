import { writtenOf } from '../../../core/text/json-index.ts';
import { tell } from '../../model/page.ts';
import { copyText } from '../copy-button.tsx';
import { filterLink } from './filter-link.ts';
import type { LineOf } from './line-of.ts';
import { pathOfLine } from './rule-path.ts';

const copied = (copying: Promise<void>, done: string) =>
  void copying.then(
    () => tell(done),
    (error: Error) => tell(error.message),
  );

/** Copies a value as valid JSON, as the sender wrote it. */
export function copyValue({ text, index, node }: LineOf): void {
  copied(copyText(writtenOf(text, index, node)), 'The value is copied');
}

export function copyPath(line: LineOf): void {
  const path = pathOfLine(line);
  if (path !== null) copied(copyText(path), `The path is copied: ${path}`);
}

/** The actions on a line of the tree. Tab skips these buttons, because keys do the same. */
export function LineTools(line: LineOf) {
  const path = pathOfLine(line);
  const filter = filterLink(line);
  return (
    <span class="json-tools" data-mark="">
      <button type="button" tabIndex={-1} title="v" onClick={() => copyValue(line)}>
        Copy value
      </button>
      {path !== null && (
        <button type="button" tabIndex={-1} title="p" onClick={() => copyPath(line)}>
          Copy path
        </button>
      )}
      {filter !== null && (
        <a class="button" tabIndex={-1} title="Events with this value (w)" href={filter}>
          Filter
        </a>
      )}
    </span>
  );
}
