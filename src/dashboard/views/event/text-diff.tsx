import { type Change, diffLines } from 'diff';
import { useMemo } from 'preact/hooks';
import { formatSize } from '../../../core/text/size.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { readable } from '../../parts/readable.ts';

/** The longest comparison, ms. It blocks the page. */
const TIMEOUT_MS = 500;
/** How many lines are shown around a difference. */
const CONTEXT_LINES = 3;
/** The longest text that is compared line by line, characters. */
const LONGEST = 1024 * 1024;

const KIND = (change: Change) => (change.added ? 'added' : change.removed ? 'removed' : 'same');
const MARK = { added: '+', removed: '−', same: ' ' };

/** Compares two texts line by line. Omits equal lines that aren't near a difference. */
export function TextDiff({ left, right }: { left: string; right: string }) {
  const changes = useMemo(
    () =>
      left.length + right.length > LONGEST
        ? undefined
        : diffLines(left, right, { timeout: TIMEOUT_MS }),
    [left, right],
  );
  if (!changes) {
    return (
      <p>
        The texts are too different or too long to compare by lines ({formatSize(left.length)} and{' '}
        {formatSize(right.length)}).
      </p>
    );
  }
  return (
    <pre class="line-diff" {...readable('Differences by lines')}>
      {changes.map((change, i) => (
        <Lines key={i} change={change} isFirst={i === 0} isLast={i === changes.length - 1} />
      ))}
    </pre>
  );
}

interface LinesProps {
  change: Change;
  isFirst: boolean;
  isLast: boolean;
}

function Lines({ change, isFirst, isLast }: LinesProps) {
  const kind = KIND(change);
  const lines = change.value.replace(/\n$/, '').split('\n');
  const before = isFirst ? 0 : CONTEXT_LINES;
  const after = isLast ? 0 : CONTEXT_LINES;
  const isCut = kind === 'same' && lines.length > before + after + 1;
  const show = (some: readonly string[]) =>
    some.map((line, i) => (
      <span key={i} class={`line is-${kind}`}>
        {MARK[kind]} <Foreign text={line} kept={'\t'} />
        {'\n'}
      </span>
    ));
  if (!isCut) return <>{show(lines)}</>;
  return (
    <>
      {show(lines.slice(0, before))}
      <span class="line is-cut">
        {`⋯ ${lines.length - before - after} lines are the same`}
        {'\n'}
      </span>
      {show(after === 0 ? [] : lines.slice(-after))}
    </>
  );
}
