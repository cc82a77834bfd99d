import { describe, expect, test } from 'vitest';
import { dataFindings, integrityFinding } from '../../../src/cli/doctor/data-findings.ts';
import { commandOn } from '../../../src/cli/doctor/doctor-finding.ts';
import type {
  ContentFacts,
  DatabaseFacts,
  Inspection,
} from '../../../src/store/contract/admin-store.ts';

const NOW = Date.UTC(2026, 7, 1);
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const RUNNING = { holder: { pid: 7, url: null } };

const CONTENT: ContentFacts = {
  events: 12,
  newestEventAt: NOW - 5000,
  secretCheck: null,
  queue: { pending: 0, due: 0, oldestDueMs: 0 },
  refusing: [],
  index: { state: 'current', lag: 0, lacking: 0 },
};

const file = (name: string, mode = 0o600) => ({
  path: `/data${name}`,
  mode,
  usable: true,
  ownerMatches: true,
});

function inspection(
  patch: Partial<Inspection> = {},
  content: Partial<ContentFacts> = {},
  database: Partial<Extract<DatabaseFacts, { state: 'readable' }>> = {},
): Inspection {
  return {
    engine: 'SQLite 3',
    directory: file('', 0o700),
    files: [file('/hookrelay.db'), file('/secret.key')],
    disk: { freeBytes: 100 * GIB, reserveBytes: GIB },
    holder: null,
    database: {
      state: 'readable',
      schema: 3,
      newestSchema: 3,
      bytes: 5 * MIB,
      walBytes: 0,
      content: { ...CONTENT, ...content },
      ...database,
    },
    ...patch,
  };
}

function judge(found: Inspection) {
  return dataFindings(found, { dataDir: '/data', now: NOW });
}

test('a healthy installation has no findings', () => {
  expect(judge(inspection()).filter(({ status }) => status !== 'ok')).toEqual([]);
});

const foreign = { ...file('/lock.db'), ownerMatches: false };
const unusable = { ...file('/hookrelay.db'), usable: false };
const lagging = { index: { state: 'current', lag: 20_000, lacking: 0 } } as const;
const late = { queue: { pending: 9, due: 3, oldestDueMs: 600_000 } };

describe('each finding has its level', () => {
  test.each<[string, Inspection, string, string, string]>([
    ['no directory', inspection({ directory: null }), 'data directory', 'fail', 'serve --data-dir'],
    ['no right', inspection({ files: [unusable] }), 'permissions', 'fail', 'run doctor as'],
    ['other owner', inspection({ files: [foreign] }), 'permissions', 'warn', 'chown --reference'],
    [
      'open, but out of reach',
      inspection({ files: [file('/hookrelay.db', 0o644)] }),
      'permissions',
      'warn',
      'chmod 600 /data/hookrelay.db',
    ],
    [
      'open to a group',
      inspection({ directory: file('', 0o750), files: [file('/hookrelay.db', 0o640)] }),
      'permissions',
      'warn',
      'chmod 700 /data &&',
    ],
    [
      'open to all',
      inspection({ directory: file('', 0o755), files: [file('/hookrelay.db', 0o644)] }),
      'permissions',
      'fail',
      'chmod',
    ],
    [
      'disk nearly full',
      inspection({ disk: { freeBytes: 1.5 * GIB, reserveBytes: GIB } }),
      'disk space',
      'warn',
      'prune',
    ],
    [
      'disk full',
      inspection({ disk: { freeBytes: GIB / 2, reserveBytes: GIB } }),
      'disk space',
      'fail',
      'prune',
    ],
    [
      'no database yet',
      inspection({ database: { state: 'missing', lost: false } }),
      'database',
      'warn',
      'serve',
    ],
    [
      'database lost',
      inspection({ database: { state: 'missing', lost: true } }),
      'database',
      'fail',
      'restore FILE',
    ],
    [
      'database unusable',
      inspection({ database: { state: 'unusable', reason: 'is empty' } }),
      'database',
      'fail',
      'restore FILE',
    ],
    ['newer schema', inspection({}, {}, { schema: 4, content: null }), 'database', 'fail', 'newer'],
    [
      'older schema',
      inspection({}, {}, { schema: 2, content: null }),
      'database',
      'warn',
      'migrate',
    ],
    [
      'older schema, in use',
      inspection(RUNNING, {}, { schema: 2, content: null }),
      'database',
      'warn',
      "server's version",
    ],
    [
      'long log',
      inspection(RUNNING, {}, { walBytes: 300 * MIB }),
      'write-ahead log',
      'warn',
      'end',
    ],
    ['index behind', inspection({}, lagging), 'search index', 'warn', 'reindex'],
    [
      'index with a hole',
      inspection({}, { index: { state: 'current', lag: 0, lacking: 3 } }),
      'search index',
      'fail',
      'reindex',
    ],
    [
      'index of another database',
      inspection({}, { index: { state: 'stale', lag: 12 } }),
      'search index',
      'warn',
      'reindex',
    ],
    [
      'index gone under a server',
      inspection(RUNNING, { index: { state: 'missing', lag: 12 } }),
      'search index',
      'warn',
      'wait',
    ],
    [
      'refusing destinations',
      inspection({}, { refusing: [{ endpointId: 'ep_1', destinationId: 'dst_1' }] }),
      ...(['destinations', 'warn', 'destinations get ep_1 dst_1'] as const),
    ],
    ['deliveries late', inspection(RUNNING, late), 'deliveries', 'warn', 'events list'],
    [
      'events of the future',
      inspection({}, { newestEventAt: NOW + 3_600_000 }),
      'clock',
      'warn',
      'timedatectl',
    ],
  ])('%s', (_name, found, check, status, next) => {
    const finding = judge(found).find((one) => one.check === check);
    expect(finding).toMatchObject({ status, next: expect.stringContaining(next) });
  });

  test.each<[string, Inspection, string, string]>([
    ['deliveries wait for a server', inspection({}, late), 'deliveries', 'when it starts'],
    [
      'an empty index of nothing',
      inspection({}, { events: 0, index: { state: 'missing', lag: 0 } }),
      'search index',
      'nothing',
    ],
    [
      'a short log after a crash',
      inspection({}, {}, { walBytes: MIB }),
      'write-ahead log',
      'killed',
    ],
    ['no event yet', inspection({}, { newestEventAt: null }), 'clock', 'nothing to compare'],
    ['in use', inspection(RUNNING), 'data lock', 'process 7'],
  ])('%s is no fault', (_name, found, check, message) => {
    const finding = judge(found).find((one) => one.check === check);
    expect(finding).toMatchObject({ status: 'ok', message: expect.stringContaining(message) });
  });

  test('without read permission, nothing is said about the content', () => {
    const found = inspection({ files: [unusable], database: { state: 'missing', lost: true } });
    expect(judge(found).map(({ check }) => check)).toEqual(['permissions', 'disk space']);
  });

  test('the database’s own check is reported', () => {
    expect(integrityFinding([], false, '/data').status).toBe('ok');
    const rows = ['row 1 missing', 'row 2 missing'];
    expect(integrityFinding(rows, false, '/data')).toMatchObject({
      status: 'fail',
      message: '2 faults, the first: row 1 missing',
    });
    // A user who asks for all checks wants to know which failed.
    expect(integrityFinding(rows, true, '/data')).toMatchObject({
      status: 'fail',
      message: '2 faults: row 1 missing; row 2 missing',
    });
  });
});

test('commands can be pasted into a shell', () => {
  expect(commandOn('/var/lib/hookrelay')('doctor')).toBe(
    'hookrelay doctor --data-dir /var/lib/hookrelay',
  );
  expect(commandOn("/it's here")('doctor')).toBe(`hookrelay doctor --data-dir '/it'\\''s here'`);
});
