import { useEffect, useState } from 'preact/hooks';
import { place } from '../../model/router.ts';
import { countBelow, type TextMatches } from './find-text.ts';
import type { TextWork } from './text-work.ts';

/** A search in the displayed body. */
export interface Find {
  query: string;
  /** Null until the search ends. */
  found: TextMatches | null;
  /** The index of the current match; -1 if there is none. */
  current: number;
  /** Changes whenever a match becomes current, even if it already was. */
  stamp: number;
  setQuery(query: string): void;
  /** Selects a later match, or an earlier one if `by` is negative. */
  step(by: number): void;
}

/** Returns the text that the list's search looks for. An opened event shows its matches. */
const searched = (): string => place.peek().query.get('q') ?? '';

/** @param work the work on the searched text; null for a view without a search */
export function useFind(work: TextWork | null): Find {
  const [query, setQuery] = useState(searched);
  const [state, setState] = useState<{
    work: TextWork | null;
    query: string;
    found: TextMatches | null;
    current: number;
    stamp: number;
  }>({ work: null, query: '', found: null, current: -1, stamp: 0 });
  useEffect(() => {
    if (!work || query === '') {
      setState((now) => ({ ...now, work, query, found: null, current: -1 }));
      return;
    }
    let isLeft = false;
    void work.find(query).then((found) => {
      if (isLeft) return;
      setState(({ stamp, current: before, found: old }) => {
        // While the user types on, the search continues at the match of the shorter query.
        const from = old?.starts[before] ?? 0;
        const at = countBelow(found.starts, from);
        const current = found.starts.length === 0 ? -1 : at % found.starts.length;
        return { work, query, found, current, stamp: stamp + 1 };
      });
    });
    return () => {
      isLeft = true;
    };
  }, [work, query]);
  const isOf = state.work === work && state.query === query;
  const found = isOf ? state.found : null;
  return {
    query,
    found,
    current: found ? state.current : -1,
    stamp: state.stamp,
    setQuery,
    step(by) {
      const count = found?.starts.length ?? 0;
      if (count === 0) return;
      setState((now) => ({
        ...now,
        current: (now.current + by + count) % count,
        stamp: now.stamp + 1,
      }));
    },
  };
}
