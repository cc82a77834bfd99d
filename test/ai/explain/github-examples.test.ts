import { expect, test } from 'vitest';
import { explainEvent } from '../../../src/ai/explain/explain-event.ts';
import { clean } from '../../../src/core/text/words.ts';
import { githubExamples } from '../github-examples.ts';
import { eventOf } from './ai-event.ts';

/** An explanation says more than the event's type when the payload has more. */

const EXAMPLES = githubExamples();
/** Members that most events have: they say where it happened, not what. */
const CONTEXT = ['sender', 'repository', 'organization', 'installation', 'enterprise', 'changes'];
/** Members that people name or write. */
const TELLING =
  /^(number|title|name|summary|body|note|message|context|login|app_id|page_name|ghsa_id|zen|ref)$/;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Values that identify such a thing, from the first two levels. */
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

test('the list has every GitHub event type', () => {
  expect(new Set(EXAMPLES.map(({ name }) => name)).size).toBeGreaterThanOrEqual(58);
});

test.each(
  EXAMPLES.map(({ name, payload }, i) => ({ name, i, action: payload.action ?? '', payload })),
)('example $i: $name, action "$action"', ({ name, payload }) => {
  const headers = { 'content-type': 'application/json', 'x-github-event': name };
  const text = explainEvent(eventOf({ headers, body: payload }));
  const telling = tellingValues(name, payload);
  if (telling.length > 0) {
    expect(
      telling.filter((value) => text.includes(value)),
      text,
    ).not.toEqual([]);
  }
  if (isObject(payload.sender)) expect(text).not.toContain('Somebody');
  expect(text).not.toContain(' reports ');
  expect(text).not.toMatch(/[.!?…]"?\.(?: |$)/);
  expect(text).not.toMatch(/"(\w+)[._](\w+)" \(\1 \2\)/);
  expect(text).not.toMatch(/undefined|\[object|NaN| {2}/);
});
