import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../model/api-error.ts';
import type { Filter } from '../model/event-list.ts';
import { navigate, type Place, withQuery } from '../model/router.ts';
import { useShortcuts } from '../model/shortcuts.ts';
import { STATUSES } from '../model/types.ts';
import { STATUS_TEXT } from '../parts/status.tsx';
import { VERIFICATION_WORDS, VERIFICATIONS } from '../text/proof/verification-text.ts';
import { RuleFilter } from './rule-filter.tsx';

/** Pause in typing that starts a search, ms. */
const TYPING_MS = 250;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const RANGES: [text: string, value: string][] = [
  ['any time', ''],
  ['last 15 min', '15m'],
  ['last hour', '1h'],
  ['last 24 h', '24h'],
  ['last 7 days', '7d'],
];
const DUPLICATES: [text: string, value: string][] = [
  ['with repeats', ''],
  ['no repeats', 'hide'],
  ['only repeats', 'only'],
];
/** The members of the address that filter the list. */
const FILTERS = [
  ...['status', 'method', 'since', 'from', 'to', 'q', 'type', 'where'],
  ...['verification', 'duplicates'],
];
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The filter of an address. `since=1h` counts back from now; `from` and `to` are times. */
export function filterOf({ query }: Place, now: number): Filter {
  const since = /^(\d+)([mhd])$/.exec(query.get('since') ?? '');
  const from = since
    ? new Date(now - Number(since[1]) * UNIT_MS[since[2] as 'm' | 'h' | 'd']).toISOString()
    : (query.get('from') ?? '');
  return {
    status: query.get('status') ?? '',
    method: query.get('method') ?? '',
    from,
    to: query.get('to') ?? '',
    q: query.get('q') ?? '',
    type: query.get('type') ?? '',
    where: query.get('where') ?? '',
    verification: query.get('verification') ?? '',
    duplicates: query.get('duplicates') ?? '',
  };
}

export function isFiltered({ query }: Place): boolean {
  return FILTERS.some((name) => query.get(name));
}

const localValue = (iso: string): string => {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

interface EventFilterBarProps {
  at: Place;
  /** The list's error; null without one. */
  error: ApiError | null;
}

export function EventFilterBar({ at, error }: EventFilterBarProps) {
  const [text, setText] = useState(at.query.get('q') ?? '');
  const search = useRef<HTMLInputElement>(null);
  const set = (changes: Record<string, string | null>) =>
    navigate(withQuery(at, changes), { replace: true });
  const fromAddress = at.query.get('q') ?? '';
  useEffect(() => setText(fromAddress), [fromAddress]);
  useEffect(() => {
    if (text === fromAddress) return;
    const timer = setTimeout(() => set({ q: text }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useShortcuts([
    { keys: '/', title: 'Search', group: 'Events', run: () => search.current?.focus() },
    {
      keys: 'x',
      title: 'Clear all filters',
      group: 'Events',
      run: () => navigate(at.path, { replace: true }),
    },
  ]);
  const isCustom = at.query.has('from') || at.query.has('to');
  return (
    <search class="filters">
      <input
        ref={search}
        type="search"
        placeholder="Search bodies"
        aria-label="Search bodies: literal, case-sensitive text"
        title="Literal, case-sensitive text in the body (/)"
        maxLength={256}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set({ q: text });
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <RuleFilter
        values={{ type: at.query.get('type') ?? '', where: at.query.get('where') ?? '' }}
        error={error}
        onChange={set}
      >
        <select
          aria-label="Status"
          value={at.query.get('status') ?? ''}
          onChange={(event) => set({ status: event.currentTarget.value })}
        >
          <option value="">any status</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {STATUS_TEXT[status]}
            </option>
          ))}
        </select>
        <select
          aria-label="Method"
          value={at.query.get('method') ?? ''}
          onChange={(event) => set({ method: event.currentTarget.value })}
        >
          <option value="">any method</option>
          {METHODS.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
        <select
          aria-label="Time"
          value={isCustom ? 'custom' : (at.query.get('since') ?? '')}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (value !== 'custom') set({ since: value, from: null, to: null });
            else set({ since: null, from: new Date(Date.now() - UNIT_MS.d).toISOString() });
          }}
        >
          {RANGES.map(([title, value]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
          <option value="custom">from … to …</option>
        </select>
        <select
          aria-label="Verification"
          value={at.query.get('verification') ?? ''}
          onChange={(event) => set({ verification: event.currentTarget.value })}
        >
          <option value="">any proof</option>
          {VERIFICATIONS.map((state) => (
            <option key={state} value={state}>
              {VERIFICATION_WORDS[state]}
            </option>
          ))}
        </select>
        <select
          aria-label="Repeats"
          value={at.query.get('duplicates') ?? ''}
          onChange={(event) => set({ duplicates: event.currentTarget.value })}
        >
          {DUPLICATES.map(([title, value]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
        {isCustom &&
          (['from', 'to'] as const).map((name) => (
            <input
              key={name}
              type="datetime-local"
              aria-label={name}
              value={localValue(at.query.get(name) ?? '')}
              onChange={(event) => {
                const { value } = event.currentTarget;
                set({ [name]: value === '' ? null : new Date(value).toISOString() });
              }}
            />
          ))}
        {isFiltered(at) && (
          <button type="button" class="quiet" onClick={() => navigate(at.path, { replace: true })}>
            Clear
          </button>
        )}
      </RuleFilter>
    </search>
  );
}
