import { describe, expect, test } from 'vitest';
import type { Forward, ForwardOutcome } from '../../../src/cli/listen/forward/forward.ts';
import { parseRoute } from '../../../src/cli/listen/forward/route-rule.ts';
import type { ListenInfo } from '../../../src/cli/listen/views/listen-view.ts';
import type { Key } from '../../../src/cli/listen/views/screen-keys.ts';
import { screenLines, wrapped } from '../../../src/cli/listen/views/screen-layout.ts';
import {
  failedRows,
  INITIAL_STATE,
  type Reduced,
  reduce,
  type ScreenAction,
  type ScreenState,
  shownRows,
} from '../../../src/cli/listen/views/screen-state.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { controlsIn } from '../live-command.ts';

const NOW = Date.parse('2026-01-31T12:00:00.000Z');
const TARGET = 'http://localhost:3000/';
const SIZE = { columns: 80, rows: 14 };

function forward(key: number, path = `/${key}`, trigger: Forward['trigger'] = 'capture'): Forward {
  return {
    key,
    trigger,
    event: {
      id: `evt_${path.slice(1)}`,
      endpoint_id: 'ep_1',
      status: 'received',
      method: 'POST',
      received_at: new Date(NOW).toISOString(),
      path,
      content_type: null,
      size: 2,
      provider: 'github',
      event_type: 'push',
      source_ip: '127.0.0.1',
      attempts: 0,
      ...{ response_code: null, latency_ms: null, retries: 0 },
      edited_from: null,
      verification: { state: 'unverified', provider: null, secret: null, reason: null },
      duplicate_of: null,
      duplicate_conflict: null,
      unjudged: null,
      delivery_counts: NO_DELIVERIES,
      held_by: null,
    },
  };
}

function outcome(responseCode: number | null, target: string | null = TARGET): ForwardOutcome {
  const error = { code: 'connect_refused' as const, message: 'The connection was refused.' };
  const failed = responseCode === null && target !== null;
  const response = {
    responseCode,
    responseHeaders: [],
    responseBody: '',
    responseTruncated: false,
  };
  return { target, ...response, durationMs: 12, error: failed ? error : null };
}

const press = (key: Key): ScreenAction => ({ type: 'key', key, pageLines: 5 });
const come = (key: number, path?: string): ScreenAction => ({
  type: 'added',
  forward: forward(key, path),
});
const done = (key: number, code: number | null = 200): ScreenAction => ({
  type: 'done',
  key,
  outcome: outcome(code),
});

function reached(...actions: ScreenAction[]): Reduced {
  let reduced: Reduced = { state: INITIAL_STATE, effects: [] };
  for (const action of actions) reduced = reduce(reduced.state, action);
  return reduced;
}

const keysOf = (state: ScreenState) => shownRows(state).map(({ forward }) => forward.key);

describe('rows', () => {
  test.each<[string, ScreenAction[], number[], number | null]>([
    ['a new row is hidden', [come(1)], [], null],
    ['a done row is shown', [come(1), done(1)], [1], 1],
    ['a slow row is shown', [come(1), { type: 'slow', key: 1 }], [1], 1],
    ['rows keep the order of arrival', [come(1), come(2), done(2), done(1)], [1, 2], 2],
    ['the newest row is selected', [come(1), done(1), come(2), done(2)], [1, 2], 2],
    [
      'the selection stays on another row',
      [come(1), come(2), done(1), done(2), press('up'), come(3), done(3)],
      [1, 2, 3],
      1,
    ],
    [
      'the selection follows the newest row again',
      [come(1), come(2), done(1), done(2), press('up'), press('down'), come(3), done(3)],
      [1, 2, 3],
      3,
    ],
    ['the selection stops at the ends', [come(1), done(1), press('up'), press('up')], [1], 1],
    [
      'first and last move the selection',
      [
        come(1),
        come(2),
        come(3),
        done(1),
        done(2),
        done(3),
        press('first'),
        press('last'),
        press('first'),
      ],
      [1, 2, 3],
      1,
    ],
    ['an unknown row changes nothing', [done(9), { type: 'slow', key: 9 }], [], null],
  ])('%s', (_name, actions, shown, selected) => {
    const { state } = reached(...actions);
    expect(keysOf(state)).toEqual(shown);
    expect(state.selected).toBe(selected);
  });

  test('are limited to the newest, and the selection moves on', () => {
    const many = Array.from({ length: 600 }, (_, i) => [come(i + 1), done(i + 1)]).flat();
    const first = reached(come(0), come(1000), done(0), done(1000), press('first')).state;
    let state = first;
    for (const action of many) ({ state } = reduce(state, action));
    expect(state.rows).toHaveLength(500);
    expect(state.selected).toBe(101);
  });
});

describe('keys', () => {
  const two = [come(1, '/a'), done(1, 500), come(2, '/b'), done(2)];

  test('r replays the selected event', () => {
    expect(reached(...two, press('replay')).effects).toEqual([
      { type: 'replay', forwards: [forward(2, '/b')] },
    ]);
  });

  test('R replays all events whose last forward failed', () => {
    const again: ScreenAction[] = [
      ...two,
      come(3, '/c'),
      done(3, null),
      { type: 'added', forward: forward(4, '/c', 'replay') },
      done(4),
    ];
    expect(failedRows(reached(...again).state).map(({ forward }) => forward.key)).toEqual([1]);
    const { state, effects } = reached(...again, press('replay-failed'));
    expect(effects).toEqual([{ type: 'replay', forwards: [forward(1, '/a')] }]);
    expect(state.message).toBe('sending 1 event again');
    expect(reached(come(1), done(1), press('replay-failed')).state.message).toBe(
      'no forward has failed',
    );
  });

  test('an event that no rule matched has not failed', () => {
    const { state } = reached(come(1), { type: 'done', key: 1, outcome: outcome(null, null) });
    expect(failedRows(state)).toEqual([]);
  });

  test.each<[Key, string]>([
    ['details', 'details'],
    ['copy', 'copy'],
  ])('%s shows the row’s details', (key, type) => {
    const { effects } = reached(...two, press(key));
    expect(effects).toEqual([
      { type, row: expect.objectContaining({ forward: forward(2, '/b') }) },
    ]);
  });

  test.each<Key>(['replay', 'details', 'copy'])('%s without a row says so', (key) => {
    const { state, effects } = reached(press(key));
    expect(effects).toEqual([]);
    expect(state.message).toBe('no event has arrived yet');
  });

  test('y copies the capture URL of the selected event, or the first', () => {
    const [laptop] = INFO.endpoints as [ListenInfo['endpoints'][0]];
    const shop = {
      ...laptop,
      id: 'ep_2',
      name: 'sh\x07op',
      capture_url: 'http://127.0.0.1:8484/in/x',
    };
    const ready: ScreenAction = { type: 'ready', info: { ...INFO, endpoints: [laptop, shop] } };
    const first = reached(ready, press('copy-url'));
    expect(first.effects).toEqual([{ type: 'copy-url', url: laptop.capture_url }]);
    expect(first.state.message).toBe('copied the capture URL of laptop');
    const event = { ...forward(1).event, endpoint_id: 'ep_2' };
    const added: ScreenAction = { type: 'added', forward: { ...forward(1), event } };
    const second = reached(ready, added, done(1), press('copy-url'));
    expect(second.effects).toEqual([{ type: 'copy-url', url: shop.capture_url }]);
    expect(controlsIn(second.state.message as string)).toBeNull();
    expect(reached(press('copy-url')).effects).toEqual([]);
  });

  test('q and Ctrl-C quit; in a pane q closes it', () => {
    expect(reached(press('quit')).effects).toEqual([{ type: 'quit' }]);
    expect(reached(press('interrupt')).effects).toEqual([{ type: 'quit' }]);
    const pane: ScreenAction = { type: 'pane', title: 't', lines: ['1'] };
    const closed = reached(pane, press('quit'));
    expect(closed).toMatchObject({ effects: [], state: { pane: null } });
    expect(reached(pane, press('interrupt')).effects).toEqual([{ type: 'quit' }]);
  });

  test.each<[Key[], number | undefined]>([
    [['down'], 1],
    [['down', 'up', 'up'], 0],
    [['last'], 15],
    [['last', 'down'], 15],
    [['last', 'first'], 0],
    [['replay', 'copy'], 0],
    [['back'], undefined],
    [['details'], undefined],
  ])('%j scrolls a pane to %s', (keys, top) => {
    const lines = Array.from({ length: 20 }, (_, i) => String(i));
    const { state, effects } = reached({ type: 'pane', title: 't', lines }, ...keys.map(press));
    expect(effects).toEqual([]);
    expect(state.pane?.top).toBe(top);
  });
});

const INFO: ListenInfo = {
  server: 'http://127.0.0.1:8484',
  endpoints: [
    { id: 'ep_1', name: 'laptop', capture_url: 'http://127.0.0.1:8484/in/abc', is_active: true },
  ],
  target: TARGET,
  rules: [],
};

describe('the screen', () => {
  const ready: ScreenAction = { type: 'ready', info: INFO };

  test('waits for events', () => {
    expect(screenLines(reached(ready).state, SIZE, NOW)).toEqual([
      'hookrelay listen  ● live  http://127.0.0.1:8484  0 forwards',
      'laptop  http://127.0.0.1:8484/in/abc',
      '→ http://localhost:3000/',
      '',
      '  waiting for the first webhook',
      ...['', '', '', '', '', ''],
      '',
      '',
      'j/k select  r send again  d details  c copy as curl  y copy URL  q quit',
    ]);
  });

  test('shows its rows', () => {
    const { state } = reached(
      ready,
      ...[come(1, '/ok'), come(2, '/broken'), come(3, '/refused'), come(4, '/slow')],
      ...[done(1), done(2, 500), done(3, null)],
      { type: 'slow', key: 4 },
      { type: 'added', forward: forward(5, '/ok', 'replay') },
      done(5, 204),
      press('up'),
      { type: 'connected', isConnected: false, message: 'connection lost' },
    );
    const clock = '\\d\\d:\\d\\d:\\d\\d';
    const lines = screenLines(state, SIZE, NOW);
    const rows = [
      'POST /ok → 200 \\(12 ms\\)  github push',
      'POST /broken → 500 \\(12 ms\\)  github push',
      'POST /refused → connect_refused \\(12 ms\\)  github push',
      'POST /slow → …  github push',
      'again POST /ok → 204 \\(12 ms\\)  github push',
    ];
    expect(lines[0]).toBe('hookrelay listen  ○ reconnecting  http://127.0.0.1:8484  4 forwards');
    for (const [i, row] of rows.entries()) {
      expect(lines[4 + i]).toMatch(new RegExp(`^${i === 3 ? '▸' : ' '} ${clock}  ${row}$`));
    }
    expect(lines.at(-2)).toBe('connection lost');
    expect(lines.at(-1)).toBe(
      'j/k select  r send again  R all failed (2)  d details  c curl  y URL  q quit',
    );
  });

  test.each([30, 60, 80])('of %i columns has the whole capture URL', (columns) => {
    const capture_url = `https://${'tunnel-'.repeat(10)}.example.com/in/${'x'.repeat(27)}`;
    const [endpoint] = INFO.endpoints as [ListenInfo['endpoints'][0]];
    const info = { ...INFO, endpoints: [{ ...endpoint, capture_url }] };
    const lines = screenLines(reached({ type: 'ready', info }).state, { columns, rows: 24 }, NOW);
    expect(lines).toHaveLength(24);
    const about = lines.slice(1, lines.indexOf(''));
    expect(about.join('')).toBe(`laptop  ${capture_url}→ ${TARGET}`);
    for (const line of about) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test('names the target when there are several', () => {
    const info = { ...INFO, rules: [parseRoute('path=/x* → 3001/y')] };
    const { state } = reached(
      ...[{ type: 'ready', info } as const, come(1, '/x'), done(1), come(2, '/z')],
      { type: 'done', key: 2, outcome: outcome(null, null) },
    );
    const text = screenLines(state, SIZE, NOW).join('\n');
    expect(text).toContain('→ http://localhost:3001/y  where path=/x*');
    expect(text).toContain('→ http://localhost:3000/  the rest');
    expect(text).toContain('POST /x → :3000 200');
    expect(text).toContain('POST /z → no route');
  });

  test('keeps the selected row visible', () => {
    const many = Array.from({ length: 30 }, (_, i) => [come(i), done(i)]).flat();
    const seen = (...keys: Key[]) =>
      screenLines(reached(ready, ...many, ...keys.map(press)).state, SIZE, NOW).filter((line) =>
        line.startsWith('▸'),
      );
    expect(seen()[0]).toContain('/29');
    expect(seen('first')[0]).toContain('/0');
    expect(seen('first', 'down', 'down')[0]).toContain('/2');
    expect(seen(...new Array<Key>(10).fill('up'))[0]).toContain('/19');
  });

  test.each([1, 4, 8, 14, 50])('of %i lines is no longer than that', (rows) => {
    const many = Array.from({ length: 30 }, (_, i) => [come(i), done(i)]).flat();
    const lines = screenLines(reached(ready, ...many).state, { columns: 80, rows }, NOW);
    expect(lines.length).toBe(rows);
  });

  test('shows text of senders and owners inertly', () => {
    const event = {
      ...forward(1).event,
      path: '/\x1b[2J',
      event_type: '\u009b31m',
      method: 'P\x07',
    };
    const endpoint = { ...INFO.endpoints[0], name: '\x1b]0;x\x07', capture_url: '\u202e' };
    const info = { ...INFO, endpoints: [endpoint as ListenInfo['endpoints'][0]] };
    const { state } = reached(
      { type: 'ready', info },
      { type: 'added', forward: { ...forward(1), event } },
      done(1),
    );
    for (const line of screenLines(state, SIZE, NOW)) expect(controlsIn(line)).toBeNull();
  });

  test('is filled by a pane, whose long lines wrap', () => {
    const lines = wrapped(['short', 'x'.repeat(25), '漢字'.repeat(6)], { columns: 10, rows: 9 });
    expect(lines).toEqual([
      'short',
      ...['x'.repeat(10), 'x'.repeat(10), 'xxxxx'],
      ...['漢字漢字漢', '字漢字漢字', '漢字'],
    ]);
    const { state } = reached({ type: 'pane', title: 'details', lines }, press('down'));
    expect(screenLines(state, { columns: 10, rows: 9 }, NOW)).toEqual([
      ...['details  2–7 of 7', ...lines.slice(1, 7), '', 'j/k scroll  Esc back'],
    ]);
  });
});
