import type { Loaded } from './hooks/use-loaded.ts';
import { Problem } from './problem.tsx';

/** Shows that a value is loading, or why it couldn't be loaded. */
export function Pending({ value, error, reload }: Loaded<unknown>) {
  if (error) return <Problem error={error} retry={reload} />;
  return value === null ? <p class="waiting">Loading …</p> : null;
}
