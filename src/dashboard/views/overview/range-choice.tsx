import { overview, RANGES, rangeOf } from '../../model/overview.ts';
import { place, withQuery } from '../../model/router.ts';

const WORDS = { hour: 'Hour', day: 'Day', week: 'Week' };

/** A choice of the range. The address holds it. */
export function RangeChoice() {
  const at = place.value;
  const chosen = rangeOf(at.query);
  // Until the answer comes, the page still shows the previous range.
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
