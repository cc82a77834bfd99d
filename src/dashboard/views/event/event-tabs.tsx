import type { AttemptAnswer } from '../../../api/deliveries/attempt-answer.ts';
import { navigate, place, withQuery } from '../../model/router.ts';
import { useShortcuts } from '../../model/shortcuts.ts';
import { BodyView } from '../../parts/body/body-view.tsx';
import { FieldTable } from '../../parts/field-table.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { lazy } from '../../parts/lazy.tsx';
import type { EventDetail } from '../../text/event-answer.ts';

const Deliveries = lazy(async () => (await import('../deliveries/deliveries.tsx')).Deliveries);
const Explain = lazy(async () => (await import('./explain.tsx')).Explain);

const TABS = [
  { tab: 'body', title: 'Body', keys: 'b' },
  { tab: 'headers', title: 'Headers', keys: 'h' },
  { tab: 'query', title: 'Query', keys: 'q' },
  { tab: 'deliveries', title: 'Deliveries', keys: 'd' },
  { tab: 'ai', title: 'Explain', keys: 'a' },
] as const;
type DetailTab = (typeof TABS)[number]['tab'];

interface EventTabsProps {
  endpointId: string;
  event: EventDetail;
  attempts: readonly AttemptAnswer[];
  /** Unix ms. */
  now: number;
  onReplay(): void;
  onChanged(): void;
}

const fieldsOf = (pairs: Iterable<readonly [string, string]>) =>
  [...pairs].map(([name, value]) => ({ name, value, note: null }));

const tabsOf = (hasQuery: boolean) => TABS.filter(({ tab }) => tab !== 'query' || hasQuery);

const show = (to: DetailTab) =>
  navigate(withQuery(place.value, { tab: to === 'body' ? null : to }), { replace: true });

/**
 * Adds the keys of the tabs. The address contains the tab, so the keys work while the event loads.
 */
export function useTabShortcuts(hasQuery: boolean): void {
  useShortcuts(
    tabsOf(hasQuery).map(({ tab, title, keys }) => ({
      keys,
      title: `Show ${title}`,
      group: 'Event',
      run: () => show(tab),
    })),
  );
}

/**
 * Shows the parts of an event as tabs. The address contains the open tab, so the next event opens
 * with the same tab.
 */
export function EventTabs(props: EventTabsProps) {
  const { endpointId, event, attempts, now, onReplay, onChanged } = props;
  const at = place.value;
  const tabs = tabsOf(event.query !== '');
  const asked = at.query.get('tab');
  const open = tabs.find(({ tab }) => tab === asked)?.tab ?? 'body';
  const count: Partial<Record<DetailTab, number>> = {
    headers: event.raw_headers.length,
    deliveries: event.deliveries.length,
  };
  return (
    <>
      <nav class="tabs" aria-label="Event">
        {tabs.map(({ tab, title }) => (
          <button
            key={tab}
            type="button"
            aria-current={tab === open ? 'page' : undefined}
            onClick={() => show(tab)}
          >
            {title}
            {count[tab] ? <span class="count">{count[tab]}</span> : null}
          </button>
        ))}
      </nav>
      <div class="detail-body">
        {open === 'body' && <BodyView event={event} />}
        {open === 'headers' && <FieldTable fields={fieldsOf(event.raw_headers)} />}
        {open === 'query' && (
          <>
            <p class="mono wrap">
              ?<Foreign text={event.query} />
            </p>
            <FieldTable fields={fieldsOf(new URLSearchParams(event.query))} />
          </>
        )}
        {open === 'deliveries' && (
          <Deliveries
            event={event}
            attempts={attempts}
            endpointId={endpointId}
            now={now}
            onReplay={onReplay}
            onChanged={onChanged}
          />
        )}
        {open === 'ai' && <Explain endpointId={endpointId} event={event} />}
      </div>
    </>
  );
}
