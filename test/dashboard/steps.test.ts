import { expect, test } from 'vitest';
import { stepsOf } from '../../src/dashboard/text/steps.ts';

test('a command stands apart from its text', () => {
  expect(stepsOf('See what waits: hookrelay deliveries list ep_1 --state pending')).toEqual([
    { text: 'See what waits:', commands: ['hookrelay deliveries list ep_1 --state pending'] },
  ]);
  expect(stepsOf('Is it up? curl -i https://a.example/?a=1: 2')).toEqual([
    { text: 'Is it up?', commands: ['curl -i https://a.example/?a=1: 2'] },
  ]);
  expect(stepsOf('')).toEqual([]);
});

test('numbers go, and several commands of a step are each whole', () => {
  const steps = '1. Ask: dig +short a.example A; dig +short a.example AAAA\n\n2. Wait, then look.';
  expect(stepsOf(steps)).toEqual([
    { text: 'Ask:', commands: ['dig +short a.example A', 'dig +short a.example AAAA'] },
    { text: 'Wait, then look.', commands: [] },
  ]);
});

test('a colon in prose makes no command', () => {
  for (const text of ['Report it: hookrelay --version shows yours.', 'Reasons: a slash too many']) {
    expect(stepsOf(text)).toEqual([{ text, commands: [] }]);
  }
});
