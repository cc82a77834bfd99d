import { overview, RANGES, rangeOf } from '../../model/overview.ts';
import { place, withQuery } from '../../model/router.ts';

const WORDS = { hour: 'Hour', day: 'Day', week: 'Week' };

/** Switches the range in the address. */
export function RangeChoice() {
  const at = place.value;
  const chosen = rangeOf(at.query);
  // The page shows the previous range until the answer comes.
  const isLate = (overview.value.value?.range ?? chosen) !== chosen;
  return (
    <nav class={`segments ${isLate ? 'is-late' : ''}`} aria-label="Range">
      {RANGES.map((range) => (
        <a
          key={range}
          href={withQuery(at, { range })}
          aria-current={range === chosen ? 'true' : undefined}
        >
          {WORDS[range]}
        </a>
      ))}
    </nav>
  );
}
