import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { explainEvent } from '../../../src/ai/explain/explain-event.ts';
import { clean } from '../../../src/ai/words.ts';
import { eventOf } from './ai-event.ts';

/*
 * Every example of GitHub's own list of webhook events: no type of event is
 * told by its name alone where the payload says more.
 */

interface Examples {
  name: string;
  examples: Record<string, unknown>[];
}

const FILE = createRequire(import.meta.url).resolve('@octokit/webhooks-examples');
const EXAMPLES = JSON.parse(readFileSync(FILE, 'utf8')) as Examples[];
/** Members that most events have: they say where it happened, not what. */
const CONTEXT = ['sender', 'repository', 'organization', 'installation', 'enterprise', 'changes'];
/** What people call a thing by, or wrote about it. */
const TELLING =
  /^(number|title|name|summary|body|note|message|context|login|app_id|page_name|ghsa_id|zen|ref)$/;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The values that tell one such thing from another, from the first two levels. */
function tellingValues(name: string, payload: Record<string, unknown>): string[] {
  const members = Object.entries(payload).filter(
    ([key]) => !CONTEXT.includes(key) || name.startsWith(key),
  );
  const objects = members.map(([, value]) => (Array.isArray(value) ? value[0] : value));
  const pairs = [
    ...members,
    ...objects.flatMap((value) => (isObject(value) ? Object.entries(value) : [])),
  ];
  return pairs
    .filter(([key, value]) => TELLING.test(key) && !isObject(value) && value !== null)
    .map(([, value]) => clean(String(value), 60).replaceAll('"', "'").slice(0, 30))
    .filter((text) => text !== '');
}

test('the list has every type of event', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(58);
});

describe.each(EXAMPLES.map(({ name, examples }) => ({ name, examples })))(
  '$name',
  ({ name, examples }) => {
    test.each(examples.map((payload) => ({ action: payload.action ?? '', payload })))(
      'of the action "$action"',
      ({ payload }) => {
        const headers = { 'content-type': 'application/json', 'x-github-event': name };
        const text = explainEvent(eventOf({ headers, body: payload }));
        const telling = tellingValues(name, payload);
        if (telling.length > 0) {
          expect(
            telling.filter((value) => text.includes(value)),
            text,
          ).not.toEqual([]);
        }
        if (isObject(payload.sender)) {
          expect(text).not.toContain('Somebody');
          if (name !== 'check_run' && name !== 'check_suite') {
            expect(text.replace(name, '')).not.toMatch(/ tells of /);
          }
        }
        expect(text).not.toMatch(/[.!?…]"?\.(?: |$)/);
        expect(text).not.toMatch(/"(\w+)[._](\w+)" \(\1 \2\)/);
        expect(text).not.toMatch(/undefined|\[object|NaN| {2}/);
      },
    );
  },
);
