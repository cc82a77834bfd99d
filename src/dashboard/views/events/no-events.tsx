import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { filterOf, isFiltered } from '../../model/list-filter.ts';
import { endpoints } from '../../model/page.ts';
import { navigate, place, withQuery } from '../../model/router.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { conditionText, isJsonRule, withCondition } from '../../text/rule-text.ts';
import { FirstEvent } from '../endpoint/first-event.tsx';

/** Says that the list is empty. Shows the searched text and the next step. */
export function NoEvents({ endpoint }: { endpoint: EndpointAnswer | null }) {
  const at = place.value;
  const { q, ignore_case, where } = filterOf(at, 0);
  if (!isFiltered(at)) return endpoint ? <FirstEvent endpoint={endpoint} /> : <NoEventAtAll />;
  if (q === '') {
    return (
      <div class="empty">
        <p>Nothing matches.</p>
        <button type="button" onClick={() => navigate(at.path, { replace: true })}>
          Show all events
        </button>
      </div>
    );
  }
  const set = (changes: Record<string, string | null>) =>
    navigate(withQuery(at, changes), { replace: true });
  return (
    <div class="empty">
      <p>
        Nothing matches. No body that passes the other filters has “<Foreign text={q} />”
        {ignore_case === '' && ' with this case'}.
      </p>
      <p class="actions">
        {ignore_case === '' && (
          <button type="button" onClick={() => set({ ignore_case: 'true' })}>
            Search in any case
          </button>
        )}
        {!isJsonRule(where) && (
          <button
            type="button"
            onClick={() =>
              set({ q: null, where: withCondition(where, conditionText('path', '*=', q)) })
            }
          >
            Search paths instead
          </button>
        )}
      </p>
    </div>
  );
}

function NoEventAtAll() {
  const first = endpoints.value?.find((endpoint) => endpoint.is_active);
  return (
    <div class="empty">
      <p>No endpoint has received an event yet.</p>
      {first && (
        <CopyButton
          text={first.capture_url}
          label={`Copy the capture URL ${first.capture_url}`}
          class="url"
        >
          <span class="mono url-text">{first.capture_url}</span>
        </CopyButton>
      )}
    </div>
  );
}
