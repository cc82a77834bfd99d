import type { Loaded } from './hooks/use-loaded.ts';
import { Problem } from './problem.tsx';

/** What stands in place of a value that is on its way, or why it isn't. */
export function Pending({ value, error, reload }: Loaded<unknown>) {
  if (error) return <Problem error={error} retry={reload} />;
  return value === null ? <p class="waiting">Loading …</p> : null;
}
