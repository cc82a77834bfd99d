import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import {
  type AbortCall,
  addAbortCall,
  removeAbortCall,
} from '../../../../src/delivery/transports/webhook/abort-calls.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

function calls(signal: AbortSignal, count: number): { made: number[]; all: AbortCall[] } {
  const made: number[] = [];
  const all = Array.from({ length: count }, (_, i) => {
    const call: AbortCall = {
      abortPlace: 0,
      onAbort() {
        made.push(i);
        removeAbortCall(signal, call);
      },
    };
    addAbortCall(signal, call);
    return call;
  });
  return { made, all };
}

it('makes all calls that are left, by one listener', () => {
  const abort = new AbortController();
  const { made, all } = calls(abort.signal, 6);
  for (const i of [0, 5, 2]) removeAbortCall(abort.signal, all[i] as AbortCall);
  expect(listeners(abort.signal)).toBe(1);
  abort.abort();
  expect(made.sort()).toEqual([1, 3, 4]);
  expect(listeners(abort.signal)).toBe(0);
});

it('leaves no listener behind, and listens again', () => {
  const { signal } = new AbortController();
  for (let round = 0; round < 2; round++) {
    const { all } = calls(signal, 2);
    for (const call of all) removeAbortCall(signal, call);
    expect(listeners(signal)).toBe(0);
  }
});
