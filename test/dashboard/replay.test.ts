import { expect, test } from 'vitest';
import { progressText } from '../../src/dashboard/views/replay/progress-text.ts';
import {
  bodyOf,
  doneText,
  isOpen,
  type ReplayChoice,
} from '../../src/dashboard/views/replay/replay-choice.ts';

test.each<[ReplayChoice, object, boolean]>([
  [{ to: 'all' }, {}, false],
  [{ to: 'destinations', ids: [] }, { destination_ids: [] }, true],
  [{ to: 'destinations', ids: ['dst_1'] }, { destination_ids: ['dst_1'] }, false],
  [{ to: 'url', url: ' ' }, { url: '' }, true],
  [{ to: 'url', url: 'https://a.example/ ' }, { url: 'https://a.example/' }, false],
])('a replay to %j sends %j; something is left to choose: %s', (target, body, open) => {
  expect(bodyOf(target)).toEqual(body);
  expect(isOpen(target)).toBe(open);
});

test.each<[ReplayChoice, number, string]>([
  [{ to: 'all' }, 0, 'There is no destination to replay to'],
  [{ to: 'all' }, 1, 'Replayed to 1 destination'],
  [{ to: 'destinations', ids: ['dst_1', 'dst_2'] }, 2, 'Replayed to 2 destinations'],
  [{ to: 'url', url: 'https://a.example/' }, 1, 'Replayed to the URL'],
])('a replay to %j that made %i deliveries is told as "%s"', (target, deliveries, text) => {
  expect(doneText(target, deliveries)).toBe(text);
});

test.each([
  [1, 1, 0, 0, '1 event matched · 1 delivery queued · 0 delivered · 0 gave up'],
  [
    1200,
    2400,
    1000,
    3,
    '1,200 events matched · 2,400 deliveries queued · 1,000 delivered · 3 gave up',
  ],
])('a job with %i, %i, %i, %i is "%s"', (matching, queued, delivered, dead, text) => {
  expect(progressText({ matching, queued, delivered, dead })).toBe(text);
});
