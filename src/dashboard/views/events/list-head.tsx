import { counted, formatCount } from '../../../core/text/words.ts';
import type { EventList } from '../../model/event-list.ts';
import { filterOf, isFiltered } from '../../model/list-filter.ts';
import { place } from '../../model/router.ts';

interface ListHeadProps {
  list: EventList;
  /** Whether the newest row is in view. */
  isFollowing: boolean;
  /** Replays all events that match the filter; null if this list can't. */
  onReplay: (() => void) | null;
}

/** Shows the number of events, the searched text, and the actions on all events of the list. */
export function ListHead({ list, isFollowing, onReplay }: ListHeadProps) {
  const at = place.value;
  // The list is always the same object. Reading its version redraws the component when the list
  // changes.
  void list.version.value;
  const { q, ignore_case } = filterOf(at, 0);
  const isNarrowed = isFiltered(at);
  const { reach } = list.search;
  const isPart = reach !== null && reach.state !== 'done';
  return (
    <div class="list-head">
      <span role="status">
        {list.isLoaded
          ? isPart
            ? `${formatCount(list.total)} found so far`
            : counted(list.total, isNarrowed ? 'match' : 'event', isNarrowed ? 'matches' : 'events')
          : !list.error && 'Loading …'}
      </span>
      {list.isLoaded && q !== '' && (
        <span class="searched">in bodies, {ignore_case === '' ? 'case as typed' : 'any case'}</span>
      )}
      <span class="fill" />
      {list.isLoaded && (!isFollowing || reach) && <span class="muted">not following</span>}
      {list.total > 0 && onReplay && (
        <button type="button" class="quiet" onClick={onReplay}>
          Replay {isNarrowed ? 'these' : 'all'} …
        </button>
      )}
    </div>
  );
}
