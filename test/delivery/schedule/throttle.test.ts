import { expect, test } from 'vitest';
import { Throttle } from '../../../src/delivery/schedule/throttle.ts';

/** A throttle with its own clock, and how many attempts it lets start at once. */
function paced() {
  const it = { now: 1000, share: 1 };
  const throttle = new Throttle({ monotonic: () => it.now }, () => it.share);
  const startable = () => {
    let count = 0;
    while (count < 1000 && throttle.allows()) {
      throttle.onStart();
      count++;
    }
    return count;
  };
  return { it, throttle, startable };
}

test('attempts go freely while captures do not queue', () => {
  const { throttle, startable } = paced();
  expect(startable()).toBe(1000);
  throttle.onCaptured(1, 0);
  throttle.onCaptured(512, 15);
  expect(startable()).toBe(1000);
});

test('attempts go freely while captures wait for the disk', () => {
  const { it, throttle, startable } = paced();
  it.share = 0.5;
  throttle.onCaptured(64, 500);
  expect(startable()).toBe(1000);
});

test('while captures queue for the processor, one attempt starts for every three', () => {
  const { it, throttle, startable } = paced();
  throttle.onCaptured(30, 30);
  expect(startable()).toBe(10);
  expect(startable()).toBe(0);
  it.now += 5;
  throttle.onCaptured(31, 5);
  throttle.onCaptured(32, 30);
  expect(startable()).toBe(21);
});

test('unused starts are saved up to the number of slots', () => {
  const { throttle, startable } = paced();
  for (let i = 0; i < 100; i++) throttle.onCaptured(64, 64);
  expect(startable()).toBe(256);
});

test('a second after captures last queued, attempts go freely again', () => {
  const { it, throttle, startable } = paced();
  throttle.onCaptured(3, 30);
  expect(startable()).toBe(1);
  it.now += 999;
  expect(startable()).toBe(0);
  it.now += 1;
  expect(startable()).toBe(1000);
});

test('the thread is measured again', () => {
  const { it, throttle, startable } = paced();
  throttle.onCaptured(3, 30);
  it.share = 0;
  it.now += 1000;
  throttle.onCaptured(3, 30);
  expect(startable()).toBe(1000);
});
