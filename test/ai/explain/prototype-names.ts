import { expect, test } from 'vitest';
import type { AiEvent } from '../../../src/ai/event-input.ts';
import { explainEvent } from '../../../src/ai/explain/explain-event.ts';
import { SAMPLES } from '../../../src/providers/samples.ts';
import { eventOf, eventOfSample, membersOf } from './ai-event.ts';
import { CODE_HOST_BODIES } from './code-host-bodies.ts';
import { MONEY_BODIES } from './money-bodies.ts';
import { PROVIDER_BODIES } from './provider-bodies.ts';

/*
 * What a sender writes is looked up in tables: what to call an action, how to
 * tell of an event. Every object inherits these names, so no table may have them.
 */

export const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
/** What an explanation says where it made text of something inherited. */
const INHERITED = /native code|\[object|function|undefined/;

/** The value with each of its texts and numbers replaced, one at a time. */
function* replacedOnce(value: unknown, nextName: () => string): Generator<unknown> {
  if (typeof value === 'string' || typeof value === 'number') {
    yield nextName();
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      for (const changed of replacedOnce(item, nextName)) yield value.with(i, changed);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      for (const changed of replacedOnce(member, nextName)) yield { ...value, [key]: changed };
    }
  }
}

const EVENTS: [string, AiEvent][] = [
  ...SAMPLES.map((sample): [string, AiEvent] => [sample.name, eventOfSample(sample)]),
  ...[...PROVIDER_BODIES, ...CODE_HOST_BODIES, ...MONEY_BODIES].map(
    ([name, headers, body]): [string, AiEvent] => [name, eventOf({ headers, body })],
  ),
];

/** @param names how many of the names each field gets */
export function describePrototypeNames({ names }: { names: number }): void {
  test.each(EVENTS)(
    '%s: a name of every object finds nothing, whichever field has it',
    (_, event) => {
      const headers = Object.fromEntries(event.headers);
      const body = membersOf(event);
      let changes = 0;
      for (let turn = 0; turn < names; turn++) {
        let field = turn;
        const nextName = () => NAMES[field++ % NAMES.length] as string;
        for (const changed of replacedOnce({ headers, body }, nextName)) {
          const text = explainEvent(eventOf(changed as { headers: Record<string, string> }));
          expect(text, JSON.stringify(changed).slice(0, 3000)).not.toMatch(INHERITED);
          changes++;
        }
      }
      expect(changes).toBeGreaterThan(names);
    },
  );
}
