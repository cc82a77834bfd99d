import { type ApiError, isAbout } from '../../model/api-error.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { Hint } from '../../parts/problem.tsx';

interface SaveFaultProps {
  error: ApiError | null;
  /** What failed: `Couldn’t save the destination`. */
  what: string;
  /** Paths of the fields that show their own faults, including faults of their parts. */
  fields: readonly string[];
}

/** Shows what failed, why, and what to do. Only counts the faults that appear at fields. */
export function SaveFault({ error, what, fields }: SaveFaultProps) {
  if (!error) return null;
  const { issues, message, hint } = error;
  const { shown = [], others = [] } = Object.groupBy(issues, (issue) =>
    isAbout(issue, fields) ? 'shown' : 'others',
  );
  const count = new Set(shown.map(({ path }) => path)).size;
  return (
    <p class="fault save-fault" role="alert">
      {what}
      {count > 0 ? (
        `: ${count === 1 ? 'a field needs' : `${count} fields need`} another value.`
      ) : (
        <>
          : <Foreign text={message} />.
        </>
      )}
      {count > 0 &&
        others.map(({ path, message: text }) => (
          <span key={path}>
            {' '}
            <Foreign text={`${path}: ${text}`} />.
          </span>
        ))}
      {hint && (
        <>
          {' '}
          <Hint text={hint} />
        </>
      )}
    </p>
  );
}
