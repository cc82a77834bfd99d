import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Logger } from '../../src/core/runtime/runtime.ts';
import { BackgroundLoop } from '../../src/maintenance/background-loop.ts';

const EVERY_MS = 60_000;
const PAUSE_MS = 5;
const RETRY_MS = 10_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A loop whose slices say how much is left. */
function setup(left = 0) {
  const self = {
    left,
    slices: 0,
    running: 0,
    atOnce: 0,
    errors: [] as string[],
    /** Additional work of each slice. */
    during: async () => {},
    loop: null as unknown as BackgroundLoop,
  };
  const log: Logger = {
    debug() {},
    info() {},
    warn() {},
    error: (message) => {
      self.errors.push(message);
    },
  };
  self.loop = new BackgroundLoop({
    name: 'work',
    log,
    everyMs: EVERY_MS,
    async slice() {
      self.slices++;
      self.running++;
      self.atOnce = Math.max(self.atOnce, self.running);
      try {
        await self.during();
      } finally {
        self.running--;
      }
      if (self.left > 0) self.left--;
      return self.left > 0;
    },
  });
  return self;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('runs', () => {
  test('do not begin before start', async () => {
    const it = setup();
    it.loop.wake();
    await pass(10 * EVERY_MS);
    expect(it.slices).toBe(0);
  });

  test('begin at the start, and then at intervals', async () => {
    const it = setup();
    it.loop.start();
    await pass(0);
    expect(it.slices).toBe(1);
    await pass(EVERY_MS - 1);
    expect(it.slices).toBe(1);
    await pass(1);
    expect(it.slices).toBe(2);
    await pass(10 * EVERY_MS);
    expect(it.slices).toBe(12);
    await it.loop.stop();
  });

  test('go slice by slice while there is more, with a pause for other work', async () => {
    const it = setup(10);
    it.loop.start();
    await pass(0);
    expect(it.slices).toBe(1);
    await pass(PAUSE_MS);
    expect(it.slices).toBe(2);
    await pass(100);
    expect(it.slices).toBe(10);
    await it.loop.stop();
  });

  test('begin at once on wake', async () => {
    const it = setup();
    it.loop.start();
    await pass(1000);
    it.loop.wake();
    await pass(0);
    expect(it.slices).toBe(2);
    // The usual interval counts from then on: no second timer is left.
    await pass(EVERY_MS - 1);
    expect(it.slices).toBe(2);
    await pass(1);
    expect(it.slices).toBe(3);
    await it.loop.stop();
  });

  test('happen once more after wakes during a run, and never two at once', async () => {
    const it = setup();
    let finish = () => {};
    it.during = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    it.loop.start();
    await pass(0);
    for (let i = 0; i < 5; i++) it.loop.wake();
    expect(it.slices).toBe(1);
    finish();
    await pass(0);
    expect(it.slices).toBe(2);
    finish();
    await pass(EVERY_MS / 2);
    expect(it.slices).toBe(2);
    expect(it.atOnce).toBe(1);
    const stopped = it.loop.stop();
    finish();
    await stopped;
  });
});

describe('an error', () => {
  test('is logged, and the run is tried again after ten seconds', async () => {
    const it = setup();
    it.during = () => Promise.reject(new Error('busy'));
    it.loop.start();
    await pass(0);
    expect(it.errors).toEqual(['work failed; the server retries it']);
    await pass(RETRY_MS - 1);
    expect(it.slices).toBe(1);
    await pass(1);
    expect(it.slices).toBe(2);
    it.during = async () => {};
    await pass(RETRY_MS);
    expect([it.slices, it.errors.length]).toEqual([3, 2]);
    await pass(EVERY_MS - 1);
    expect(it.slices).toBe(3);
    await it.loop.stop();
  });
});

describe('stop', () => {
  test('waits for the slice under way, and starts no other', async () => {
    const it = setup(100);
    let finish = () => {};
    it.during = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    it.loop.start();
    await pass(0);
    let stopped = false;
    const stopping = it.loop.stop().then(() => {
      stopped = true;
    });
    it.loop.wake();
    await pass(1000);
    expect(stopped).toBe(false);
    finish();
    await pass(PAUSE_MS);
    await stopping;
    await pass(10 * EVERY_MS);
    expect(it.slices).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('leaves no timer at rest', async () => {
    const it = setup();
    it.loop.start();
    await pass(1);
    await it.loop.stop();
    expect(vi.getTimerCount()).toBe(0);
    it.loop.wake();
    await pass(10 * EVERY_MS);
    expect(it.slices).toBe(1);
  });

  test('leaves no timer after an error', async () => {
    const it = setup();
    it.during = () => Promise.reject(new Error('busy'));
    it.loop.start();
    await pass(1);
    await it.loop.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does nothing before the start', async () => {
    await setup().loop.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
