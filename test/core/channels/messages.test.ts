import type { KnownBlock } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { channelMessage } from '../../../src/core/channels/channel-message.ts';
import { confirmationNotice, testNotice } from '../../../src/core/channels/channel-notices.ts';
import { emailContent, readEmailContent } from '../../../src/core/channels/email-content.ts';
import {
  digestNotice,
  openedNotice,
  resolvedNotice,
} from '../../../src/core/channels/issue-notices.ts';
import type { Notice } from '../../../src/core/channels/notice.ts';
import { type SlackBody, slackBody } from '../../../src/core/channels/slack-body.ts';
import { webhookBody } from '../../../src/core/channels/webhook-body.ts';
import { AT, namedIssue } from '../issues/named-issue.ts';

const CONTEXT = { baseUrl: 'https://hooks.example.com', now: AT + 120_000 };
const WAITING = { count: 31, atLeast: false, oldestAt: AT };

describe('what is told', () => {
  test('an opening says what, since when, how much waits and what to do', () => {
    const notice = openedNotice(namedIssue(), WAITING, CONTEXT);
    expect(notice.title).toBe('billing answers 503');
    expect(notice.paragraphs).toEqual([
      'Deliveries of orders to billing fail. The answer was 503.',
      'Since 2026-03-14 09:26:53 UTC, seen 3 times. 31 deliveries wait there, the oldest for 2 min.',
    ]);
    expect(notice.steps).toContain('hookrelay events attempts evt_02');
    expect(notice.link?.url).toBe('https://hooks.example.com/issues/iss_01');
  });

  test.each([
    [null, 'Since 2026-03-14 09:26:53 UTC, seen 3 times.'],
    [{ count: 0, atLeast: false, oldestAt: null }, 'Since 2026-03-14 09:26:53 UTC, seen 3 times.'],
    [
      { count: 10_000, atLeast: true, oldestAt: null },
      'Since 2026-03-14 09:26:53 UTC, seen 3 times. At least 10,000 deliveries wait there.',
    ],
    [
      { count: 1, atLeast: false, oldestAt: AT },
      'Since 2026-03-14 09:26:53 UTC, seen 3 times. 1 delivery waits there, the oldest for 2 min.',
    ],
  ])('what waits: %#', (waiting, text) => {
    expect(openedNotice(namedIssue(), waiting, CONTEXT).paragraphs[1]).toBe(text);
  });

  test('an end says how long it was', () => {
    const notice = resolvedNotice(namedIssue({ state: 'resolved' }), CONTEXT);
    expect(notice.title).toBe('Resolved: billing answers 503');
    expect(notice.paragraphs).toEqual([
      'It began 2026-03-14 09:26:53 UTC and ended 2026-03-14 09:27:53 UTC; it was seen 3 times.',
    ]);
  });

  test('a digest counts all and names ten', () => {
    const issues = Array.from({ length: 14 }, (_, i) => namedIssue({ subject: `http_5${10 + i}` }));
    const notice = digestNotice(issues, 'open', CONTEXT);
    expect(notice.title).toBe('14 issues opened');
    expect(notice.paragraphs).toHaveLength(11);
    expect(notice.paragraphs[0]).toBe('billing answers 510');
    expect(notice.paragraphs[10]).toBe('and 4 more');
    expect(notice.data).toMatchObject({ state: 'open', count: 14 });
  });
});

test('a webhook has the form of the contract', () => {
  const body = JSON.parse(webhookBody(openedNotice(namedIssue(), null, CONTEXT)));
  expect(Object.keys(body)).toEqual(['type', 'timestamp', 'data']);
  expect(body).toMatchObject({
    type: 'issue.opened',
    timestamp: '2026-03-14T09:28:53.000Z',
    data: { id: 'iss_01', kind: 'delivery', state: 'open', destination_id: 'dst_01' },
  });
});

const HOSTILE =
  '<!channel> <https://evil.example/|click> *b* `c` :tada: <b onload=x>&amp; "q" \'a\' @here';

function hostileNotices(): Notice[] {
  const named = namedIssue(
    { explanation: { cause: `${HOSTILE}\n\n${HOSTILE}`, suggestion: `1. ${HOSTILE}` } },
    {
      endpoint: { id: 'ep_01', name: HOSTILE },
      destination: { id: 'dst_01', url: 'https://x/', name: HOSTILE },
    },
  );
  return [
    openedNotice(named, WAITING, CONTEXT),
    resolvedNotice(named, CONTEXT),
    digestNotice([named, named], 'open', CONTEXT),
  ];
}

describe('Slack', () => {
  const read = (notice: Notice) => JSON.parse(slackBody(notice)) as SlackBody;

  test("its blocks are of Slack's types", () => {
    const { blocks } = read(openedNotice(namedIssue(), WAITING, CONTEXT));
    // The compiler compares them with the types of Slack's package.
    const known: KnownBlock[] = blocks;
    expect(known.map(({ type }) => type)).toEqual(['header', 'section', 'section', 'context']);
  });

  test("a stranger's markup, mentions and links stay letters", () => {
    for (const notice of hostileNotices()) {
      const { text, blocks } = read(notice);
      expect(text).not.toMatch(/[<>]/);
      for (const block of blocks) {
        if (block.type === 'context') {
          expect(block.elements.map((element) => element.text)).toEqual([
            expect.stringMatching(/^<https:\/\/hooks\.example\.com\/issues(\/iss_01)?\|[\w ]+>$/),
          ]);
        } else {
          expect(block.text).toMatchObject({ type: 'plain_text', emoji: false });
          expect(block.text.text).not.toMatch(/[<>]/);
        }
      }
    }
  });

  test('stays within the limits of Slack, in whole characters and entities', () => {
    const long = '<💥&'.repeat(3000);
    const notice = { ...testNotice({ id: 'chn_01' }, CONTEXT), title: long, paragraphs: [long] };
    const { text, blocks } = read(notice);
    const [header, section] = blocks;
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(header).toMatchObject({ type: 'header' });
    const texts = [header, section].map((block) => (block as { text: { text: string } }).text.text);
    expect(texts[0]?.length).toBeLessThanOrEqual(150);
    expect(texts[1]?.length).toBeLessThanOrEqual(3000);
    for (const one of texts) {
      expect(one).toMatch(/^(&lt;|💥|&amp;)+…$/u);
      expect(one.isWellFormed()).toBe(true);
    }
  });
});

describe('e-mail', () => {
  test('a subject is one line, and short', () => {
    const notice = { ...testNotice({ id: 'chn_01' }, CONTEXT) };
    const title = `a\r\nBcc: everybody@example.com\u2028${'x'.repeat(400)}`;
    const { subject } = emailContent({ ...notice, title });
    expect(subject).toMatch(/^\[hookrelay\] a Bcc: everybody@example\.com x+…$/);
    expect(subject.length).toBeLessThan(200);
  });

  test("a stranger's tags stay letters", () => {
    for (const notice of hostileNotices()) {
      const { html } = emailContent(notice);
      expect(html).not.toContain('<b ');
      expect(html).not.toContain('<!channel');
      expect(html).not.toContain('href="https://evil');
    }
  });

  test('what is read is what was written', () => {
    const notice = confirmationNotice({ id: 'chn_01' }, 'token', CONTEXT);
    const content = emailContent(notice);
    expect(readEmailContent(JSON.stringify(content))).toEqual(content);
    expect(content.text).toContain('https://hooks.example.com/confirm?token=token');
    expect(content.html).toContain('href="https://hooks.example.com/confirm?token=token"');
    for (const text of ['', 'null', '{}', '[]', '{"subject":"a","text":"b"}', '{"subject":1}']) {
      expect(readEmailContent(text)).toBeNull();
    }
  });
});

test.each(['webhook', 'slack', 'email'] as const)(
  'each message has a key of its own: %s',
  (type) => {
    const notice = testNotice({ id: 'chn_01' }, CONTEXT);
    const [one, two] = [1, 2].map(() =>
      channelMessage({ key: 7, publicToken: 'tok', type }, notice),
    );
    expect(one).toMatchObject({ channelKey: 7, createdAt: CONTEXT.now });
    expect(one?.id).toMatch(/^msg_/);
    expect(one?.id).not.toBe(two?.id);
  },
);
