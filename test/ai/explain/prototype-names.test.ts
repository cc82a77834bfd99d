import { expect, test } from 'vitest';
import type { AiEvent } from '../../../src/ai/event-input.ts';
import { explainEvent } from '../../../src/ai/explain/explain-event.ts';
import { SAMPLES } from '../../../src/providers/samples.ts';
import { eventOf, eventOfSample, membersOf } from './ai-event.ts';
import { CODE_HOST_BODIES } from './code-host-bodies.ts';
import { MONEY_BODIES } from './money-bodies.ts';
import { PROVIDER_BODIES } from './provider-bodies.ts';

/*
 * Text of senders is looked up in tables: labels of actions, texts of events. Every
 * object inherits these names, so no table may contain them.
 */

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
/** What an explanation shows when it made text of an inherited value. */
const INHERITED = /native code|\[object|function|undefined/;

/** The value with each of its texts and numbers replaced, one at a time. */
function* replacedOnce(value: unknown, name: string): Generator<unknown> {
  if (typeof value === 'string' || typeof value === 'number') {
    yield name;
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      for (const changed of replacedOnce(item, name)) yield value.with(i, changed);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      for (const changed of replacedOnce(member, name)) yield { ...value, [key]: changed };
    }
  }
}

const EVENTS: [string, AiEvent][] = [
  ...SAMPLES.map((sample): [string, AiEvent] => [sample.name, eventOfSample(sample)]),
  ...[...PROVIDER_BODIES, ...CODE_HOST_BODIES, ...MONEY_BODIES].map(
    ([name, headers, body]): [string, AiEvent] => [name, eventOf({ headers, body })],
  ),
];

test.each(EVENTS)('%s: a name of Object.prototype finds nothing in any field', (_, event) => {
  const headers = Object.fromEntries(event.headers);
  const body = membersOf(event);
  let changes = 0;
  for (const name of NAMES) {
    for (const changed of replacedOnce({ headers, body }, name)) {
      const text = explainEvent(eventOf(changed as { headers: Record<string, string> }));
      expect(text, JSON.stringify(changed).slice(0, 3000)).not.toMatch(INHERITED);
      changes++;
    }
  }
  expect(changes).toBeGreaterThan(NAMES.length);
});
