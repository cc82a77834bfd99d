import { expect, test } from 'vitest';
import type { DestinationAnswer } from '../../src/api/destinations/destination-answer.ts';
import { copyChoice } from '../../src/dashboard/views/replay/copy-choice.ts';

type Choosable = Pick<DestinationAnswer, 'id' | 'state' | 'sign_as'>;
const one = (id: string, patch: Partial<Choosable> = {}): Choosable => ({
  ...{ id, state: 'active', sign_as: null },
  ...patch,
});
const [a, b] = [one('a'), one('b')];
const off = one('off', { state: 'disabled' });
const signing = one('signing', { sign_as: 'provider' });

test.each<[string, Choosable[] | null, string[] | null, string[], boolean]>([
  ['while they load', null, null, [], true],
  ['the only one', [a], null, ['a'], false],
  ['the only one that is enabled', [a, off], null, ['a'], false],
  ['the only one, unchecked', [a], [], [], true],
  ['none of several', [a, b], null, [], true],
  ['what was checked', [a, b], ['b'], ['b'], false],
  ['not one that signs as the provider', [signing], null, [], true],
  ['one that signs as the provider, checked', [signing], ['signing'], ['signing'], false],
  ['nobody: there is none', [], null, [], false],
  ['nobody: all are disabled', [off], null, [], false],
  ['no longer one that was removed', [a, b], ['gone'], [], true],
])('a copy goes to %s', (_, destinations, chosen, ids, isOpen) => {
  expect(copyChoice(destinations, chosen)).toEqual({ ids, isOpen });
});
