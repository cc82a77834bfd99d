import { counted } from '../../../core/text/words.ts';
import { printable } from '../../terminal/output.ts';
import { type Forward, type ForwardOutcome, isTaken } from '../forward/forward.ts';
import type { ForwardProgress } from './forward-line.ts';
import type { ListenInfo } from './listen-view.ts';
import type { Key } from './screen-keys.ts';
import { type ScreenPane, scrolled } from './screen-pane.ts';

/** The largest number of rows in memory. Each can contain 16 KiB of a response. */
const MAX_ROWS = 500;

/** Hidden at first, because a pending row would flicker before a fast forward ends. */
export interface ForwardRow extends ForwardProgress {
  shown: boolean;
}

export interface ScreenState {
  info: ListenInfo | null;
  isConnected: boolean;
  rows: ForwardRow[];
  /** Key of the selected forward. With `follows`, this is the newest one. */
  selected: number | null;
  follows: boolean;
  message: string | null;
  pane: ScreenPane | null;
}

export type ScreenAction =
  | { type: 'ready'; info: ListenInfo }
  | { type: 'added'; forward: Forward }
  | { type: 'sent'; key: number; target: string }
  | { type: 'slow'; key: number }
  | { type: 'done'; key: number; outcome: ForwardOutcome }
  | { type: 'connected'; isConnected: boolean; message: string | null }
  | { type: 'message'; message: string }
  | { type: 'pane'; title: string; lines: string[] }
  | { type: 'key'; key: Key; pageLines: number };

/** Work that a key requests beyond changes to the screen's state. */
export type ScreenEffect =
  | { type: 'replay'; forwards: Forward[] }
  | { type: 'details'; row: ForwardRow }
  | { type: 'copy'; row: ForwardRow }
  | { type: 'copy-url'; url: string }
  | { type: 'quit' };

export interface Reduced {
  state: ScreenState;
  effects: ScreenEffect[];
}

export const INITIAL_STATE: ScreenState = {
  info: null,
  isConnected: true,
  rows: [],
  selected: null,
  follows: true,
  message: null,
  pane: null,
};

/** Returns the next state of the screen, and the work that is left to do. */
export function reduce(state: ScreenState, action: ScreenAction): Reduced {
  switch (action.type) {
    case 'ready':
      return only({ ...state, info: action.info });
    case 'added':
      return only(added(state, action.forward));
    case 'sent':
      return only(changed(state, action.key, { target: action.target }));
    case 'slow':
      return only(following(changed(state, action.key, { shown: true })));
    case 'done': {
      const { outcome } = action;
      const { target } = outcome;
      return only(following(changed(state, action.key, { shown: true, target, outcome })));
    }
    case 'connected':
      return only({ ...state, isConnected: action.isConnected, message: action.message });
    case 'message':
      return only({ ...state, message: action.message });
    case 'pane':
      return only({ ...state, pane: { title: action.title, lines: action.lines, top: 0 } });
    case 'key':
      return pressed(state, action.key, action.pageLines);
  }
}

export function shownRows({ rows }: ScreenState): ForwardRow[] {
  return rows.filter(({ shown }) => shown);
}

/** Returns the failed rows. Only the last forward of an event counts. */
export function failedRows({ rows }: ScreenState): ForwardRow[] {
  const latest = new Map(rows.map((row) => [row.forward.event.id, row]));
  return [...latest.values()].filter(
    ({ outcome }) => outcome !== null && outcome.target !== null && !isTaken(outcome),
  );
}

function only(state: ScreenState): Reduced {
  return { state, effects: [] };
}

function added(state: ScreenState, forward: Forward): ScreenState {
  const row = { forward, target: null, outcome: null, shown: false };
  // The list may drop the oldest row. Its forward continues.
  return { ...state, rows: [...state.rows, row].slice(-MAX_ROWS) };
}

function changed(state: ScreenState, key: number, change: Partial<ForwardRow>): ScreenState {
  const rows = state.rows.map((row) => (row.forward.key === key ? { ...row, ...change } : row));
  return { ...state, rows };
}

/**
 * Selects the newest row with `follows`. Otherwise keeps the selected row, if it is still there.
 */
function following(state: ScreenState): ScreenState {
  const shown = shownRows(state);
  const isThere = shown.some(({ forward }) => forward.key === state.selected);
  if (isThere && !state.follows) return state;
  const row = state.follows ? shown.at(-1) : shown[0];
  return { ...state, selected: row?.forward.key ?? null };
}

function pressed(state: ScreenState, key: Key, pageLines: number): Reduced {
  if (key === 'interrupt') return { state, effects: [{ type: 'quit' }] };
  if (state.pane) return only({ ...state, pane: scrolled(state.pane, key, pageLines) });
  const row = state.rows.find(({ forward }) => forward.key === state.selected);
  switch (key) {
    case 'quit':
      return { state, effects: [{ type: 'quit' }] };
    case 'up':
    case 'down':
    case 'first':
    case 'last':
      return only(moved(state, key));
    case 'replay-failed':
      return replayFailed(state);
    case 'copy-url':
      return copyUrl(state, row);
    case 'back':
      return only({ ...state, message: null });
  }
  if (!row) return only({ ...state, message: 'no event has arrived yet' });
  if (key === 'replay') return { state, effects: [{ type: 'replay', forwards: [row.forward] }] };
  return { state, effects: [{ type: key, row }] };
}

function replayFailed(state: ScreenState): Reduced {
  const forwards = failedRows(state).map(({ forward }) => forward);
  if (forwards.length === 0) return only({ ...state, message: 'no forward has failed' });
  const message = `sending ${counted(forwards.length, 'event')} again`;
  return { state: { ...state, message }, effects: [{ type: 'replay', forwards }] };
}

/** Prefers the selected event's endpoint to the first one. */
function copyUrl(state: ScreenState, row: ForwardRow | undefined): Reduced {
  const endpoints = state.info?.endpoints ?? [];
  const endpoint =
    endpoints.find(({ id }) => id === row?.forward.event.endpoint_id) ?? endpoints[0];
  if (!endpoint) return only(state);
  const message = `copied the capture URL of ${printable(endpoint.name)}`;
  return {
    state: { ...state, message },
    effects: [{ type: 'copy-url', url: printable(endpoint.capture_url) }],
  };
}

function moved(state: ScreenState, key: 'up' | 'down' | 'first' | 'last'): ScreenState {
  const keys = shownRows(state).map(({ forward }) => forward.key);
  const last = keys.length - 1;
  const at = state.selected === null ? last : keys.indexOf(state.selected);
  const wanted = { up: at - 1, down: at + 1, first: 0, last }[key];
  const to = Math.min(last, Math.max(0, wanted));
  return { ...state, selected: keys[to] ?? null, follows: to === last };
}
