import { counted } from '../../../core/text/words.ts';
import type { SearchOn, SearchReach } from '../../model/search-on.ts';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';

/** Shows the progress of a search that the server stopped. The user can continue the search. */
export function Reach({ search, reach }: { search: SearchOn; reach: SearchReach }) {
  const { state, lookedAt, until, unknown, error } = reach;
  return (
    <div class="reach">
      <div class="list-head">
        <span role="status">
          {state === 'done' ? (
            'Searched in parts. The list lacks events that came since.'
          ) : (
            <>
              {state === 'going' ? 'Searching' : 'Stopped'}: {counted(lookedAt, 'event')} looked at
              {until !== null && (
                <>
                  , back to <Time at={until} />
                </>
              )}
            </>
          )}
        </span>
        <span class="fill" />
        {state === 'going' && (
          <button type="button" class="quiet" onClick={() => search.stop()}>
            Stop
          </button>
        )}
        {state === 'stopped' && (
          <button type="button" class="quiet" onClick={() => search.goOn()}>
            Go on
          </button>
        )}
        {state !== 'going' && (
          <button type="button" class="quiet" onClick={() => search.again()}>
            Search again
          </button>
        )}
      </div>
      {unknown.map((message) => (
        <p class="list-head" key={message}>
          The rule {message}.
        </p>
      ))}
      {error && <Problem error={error} retry={() => search.goOn()} />}
    </div>
  );
}
