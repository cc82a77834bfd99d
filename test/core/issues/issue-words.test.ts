import { expect, test } from 'vitest';
import { createProgram } from '../../../src/cli/program.ts';
import { issueView } from '../../../src/core/issues/issue-view.ts';
import { causeOf, suggestionOf, titleOf } from '../../../src/core/issues/issue-words.ts';
import { AT, KINDS, namedIssue } from './named-issue.ts';

const SLACK = {
  endpoint: null,
  destination: null,
  channel: { id: 'chn_01', type: 'slack', target: 'https://hooks.slack.com/services/T0/B0/s3cr3t' },
};

test.each([
  [namedIssue(), 'billing answers 503'],
  [namedIssue({ subject: 'connect_refused' }), 'billing refuses connections'],
  [namedIssue({ subject: 'constructor' }), 'billing fails: constructor'],
  [namedIssue({ subject: 'other' }), 'billing fails in many ways'],
  [
    namedIssue(
      {},
      { destination: { id: 'dst_01', url: 'https://api.example.com/in/?key=s3', name: null } },
    ),
    'api.example.com/in answers 503',
  ],
  [
    namedIssue(
      {},
      {
        destination: {
          ...{
            id: 'dst_01',
            url: 'https://hooks.slack.com/services/T0/B0/abcdefghijklmnop12',
            name: null,
          },
        },
      },
    ),
    'hooks.slack.com/services/T0/B0/… answers 503',
  ],
  [
    namedIssue({ kind: 'silence', subject: '', streak: { expectEveryMs: 900_000 } }),
    'orders: no event for 15 min',
  ],
  [namedIssue({ kind: 'silence', subject: '' }), 'orders: no event for too long'],
  [namedIssue({ kind: 'backlog', subject: '' }), 'billing: deliveries wait too long'],
  [namedIssue({ kind: 'verification', subject: '' }), 'orders: requests fail verification'],
  [
    namedIssue({ kind: 'verification', subject: 'brought_secret' }),
    'orders: nobody has confirmed its secret',
  ],
  [
    namedIssue({ kind: 'conflict', subject: '' }),
    'orders: repeated requests have different bodies',
  ],
  [
    namedIssue({ kind: 'drift', subject: 'invoice.paid' }),
    'orders: the payload of invoice.paid changed',
  ],
  [
    namedIssue({ kind: 'alert', subject: 'http_404' }, SLACK),
    "alerts don't arrive: Slack (hooks.slack.com) answers 404",
  ],
  [
    namedIssue(
      { kind: 'alert', subject: 'timeout' },
      { ...SLACK, channel: { id: 'chn_02', type: 'email', target: 'ada@example.com' } },
    ),
    "alerts don't arrive: email (ada@example.com) doesn't answer in time",
  ],
])('a title: %#', (named, title) => {
  expect(titleOf(named)).toBe(title);
});

test('an explanation takes the place of the words of the kind', () => {
  const explanation = { cause: 'The database is down.', suggestion: '1. Start it.' };
  expect(issueView(namedIssue({ explanation }))).toMatchObject({
    cause: 'The database is down.',
    suggestion: '1. Start it.',
  });
});

test('the view has the names of the contract', () => {
  expect(issueView(namedIssue())).toEqual({
    id: 'iss_01',
    kind: 'delivery',
    state: 'open',
    endpoint_id: 'ep_01',
    destination_id: 'dst_01',
    title: 'billing answers 503',
    cause: 'Deliveries of orders to billing fail. The answer was 503.',
    suggestion: expect.stringContaining('hookrelay events attempts evt_02'),
    count: 3,
    first_at: new Date(AT).toISOString(),
    last_at: new Date(AT + 60_000).toISOString(),
    event_ids: ['evt_02', 'evt_01'],
  });
});

test('no text of a stranger brings lines, colours or secrets into the words', () => {
  const name = `\u001b[31mA\nB\u202e${'x'.repeat(300)}`;
  for (const kind of KINDS) {
    const named = namedIssue(
      { kind, subject: name },
      {
        endpoint: { id: 'ep_01', name },
        destination: { id: 'dst_01', url: 'https://x/', name },
        channel: { id: 'chn_01', type: 'slack', target: `https://x/${name}/s3cr3t` },
      },
    );
    const words = [titleOf(named), causeOf(named), suggestionOf(named).replaceAll('\n', ' ')];
    for (const text of words) expect(text).toMatch(/^[^\p{Cc}\p{Cf}]+$/u);
    expect(titleOf(named).length).toBeLessThan(250);
    expect(words.join(' ')).not.toContain('s3cr3t');
  }
});

/** Commands that the program has. */
test.each([
  ...KINDS.map((kind) => [kind, namedIssue({ kind })] as const),
  ['a brought secret', namedIssue({ kind: 'verification', subject: 'brought_secret' })] as const,
])('each command that %s suggests exists', (_, named) => {
  const lines = suggestionOf(named).split('\n');
  const commands = lines.flatMap((line) => /hookrelay (.+)$/.exec(line)?.[1] ?? []);
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) {
    const [group, name, ...rest] = command.split(' ');
    const found = createProgram().commands.find((one) => one.name() === group);
    const sub = found?.commands.find((one) => one.name() === name) ?? found;
    expect(found, command).toBeDefined();
    if (found?.commands.length) expect(sub, command).not.toBe(found);
    const known = sub?.options.map(({ long }) => long);
    for (const flag of rest.filter((word) => word.startsWith('--'))) {
      expect(known, command).toContain(flag);
    }
  }
});
