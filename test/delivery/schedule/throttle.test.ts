import { describe, expect, test } from 'vitest';
import { Throttle } from '../../../src/delivery/schedule/throttle.ts';
import { floodedThread } from './flooded-thread.ts';

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

test('attempts go freely while captures come slower than commits end', () => {
  const { throttle, startable } = paced();
  expect(startable()).toBe(1000);
  throttle.onCaptured(1, 0);
  throttle.onCaptured(8, 7);
  expect(startable()).toBe(1000);
});

test('attempts go freely while captures wait for the disk', () => {
  const { it, throttle, startable } = paced();
  it.share = 0.5;
  throttle.onCaptured(64, 500);
  expect(startable()).toBe(1000);
});

test('while captures flood the thread, five attempts start for every four', () => {
  const { it, throttle, startable } = paced();
  throttle.onCaptured(40, 30);
  expect(startable()).toBe(50);
  expect(startable()).toBe(0);
  it.now += 5;
  throttle.onCaptured(4, 5);
  throttle.onCaptured(20, 30);
  expect(startable()).toBe(30);
});

test('unused starts are saved up to the number of slots', () => {
  const { throttle, startable } = paced();
  for (let i = 0; i < 100; i++) throttle.onCaptured(64, 64);
  expect(startable()).toBe(256);
});

test('20 ms after the last flooded commit, attempts go freely again', () => {
  const { it, throttle, startable } = paced();
  throttle.onCaptured(4, 30);
  expect(startable()).toBe(5);
  it.now += 19;
  expect(startable()).toBe(0);
  it.now += 1;
  expect(startable()).toBe(1000);
});

test('the thread is measured again', () => {
  const { it, throttle, startable } = paced();
  throttle.onCaptured(4, 30);
  it.share = 0;
  it.now += 1000;
  throttle.onCaptured(4, 30);
  expect(startable()).toBe(1000);
});

describe('on a simulated thread', () => {
  test.each([64, 1024])('a sender that waits for %i deliveries is not held up', (underWay) => {
    const free = floodedThread({ underWay, destinations: 1, isThrottled: false });
    const throttled = floodedThread({ underWay, destinations: 1 });
    expect(throttled.deliveriesPerSecond).toBeGreaterThan(0.9 * free.deliveriesPerSecond);
    expect(throttled.p50Ms).toBeLessThan(15);
  });

  test('a sender that waits for its deliveries to five destinations is not stopped', () => {
    const free = floodedThread({ underWay: 1024, destinations: 5, isThrottled: false });
    const throttled = floodedThread({ underWay: 1024, destinations: 5 });
    expect(throttled.deliveriesPerSecond).toBeGreaterThan(0.75 * free.deliveriesPerSecond);
  });

  test('a flood is delivered to one destination as fast as it comes', () => {
    const { capturesPerSecond, deliveriesPerSecond, p50Ms } = floodedThread({ destinations: 1 });
    expect(deliveriesPerSecond).toBeGreaterThan(0.98 * capturesPerSecond);
    expect(p50Ms).toBeLessThan(15);
  });

  test('a flood for five destinations goes first', () => {
    const one = floodedThread({ destinations: 1 });
    const five = floodedThread({ destinations: 5 });
    expect(five.capturesPerSecond).toBeGreaterThan(0.75 * one.capturesPerSecond);
    expect(five.deliveriesPerSecond).toBeGreaterThan(five.capturesPerSecond);
  });

  test('after a burst, its deliveries go at once', () => {
    const { lastMs } = floodedThread({ destinations: 5, captures: 1000 });
    const free = floodedThread({ destinations: 5, captures: 1000, isThrottled: false });
    expect(lastMs).toBeLessThan(1.2 * free.lastMs + 20);
  });
});
