import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Coalescer } from '../../../src/api/streams/coalescer.ts';
import { FrameWriter } from '../../../src/api/streams/frame-writer.ts';
import { SharedFrames } from '../../../src/api/streams/shared-frames.ts';

const MIB = 1024 ** 2;
const FRAME = 'x'.repeat(MIB / 8);

afterEach(() => {
  vi.useRealTimers();
});

/** A writer, and a reader that takes what is written only when it is told to. */
function slowReader() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const untaken: { bytes: Buffer; done?: () => void }[] = [];
  const taken: Buffer[] = [];
  // As a socket: what is written during a write makes one write, done with its last byte.
  const output = new Writable({
    writev(chunks, done) {
      untaken.push(...chunks.map(({ chunk }) => ({ bytes: chunk as Buffer })));
      Object.assign(untaken.at(-1) ?? {}, { done });
    },
  });
  onTestFinished(() => void output.destroy());
  const writer = new FrameWriter(output as unknown as ServerResponse, {
    coalescer: new Coalescer(),
    shared: new SharedFrames(),
  });
  return {
    writer,
    output,
    write(bytes: number) {
      for (let at = 0; at < bytes; at += FRAME.length) writer.write(FRAME);
    },
    async take(bytes: number) {
      for (let left = bytes; left > 0; left -= FRAME.length) {
        const next = untaken.shift();
        if (!next) return;
        taken.push(next.bytes);
        next.done?.();
        await new Promise(setImmediate);
      }
    },
    takenBytes: () => taken.reduce((sum, { length }) => sum + length, 0),
    seconds: (count: number) => vi.advanceTimersByTime(count * 1000),
  };
}

describe('a reader with a burst to take', () => {
  test('stays while it takes some of it each second, and gets all', async () => {
    const reader = slowReader();
    reader.write(24 * MIB);
    for (let i = 0; i < 24; i++) {
      await reader.take(MIB);
      reader.seconds(1);
      expect(reader.output.destroyed, `after ${i + 1} s`).toBe(false);
    }
    expect(reader.takenBytes()).toBe(24 * MIB);
  });

  test('is dropped after five seconds in which it takes nothing', async () => {
    const reader = slowReader();
    reader.write(16 * MIB);
    await reader.take(MIB);
    reader.seconds(5);
    expect(reader.output.destroyed).toBe(false);
    reader.seconds(5);
    expect(reader.output.destroyed).toBe(true);
  });

  test('is dropped when it has not caught up after 30 s', async () => {
    const reader = slowReader();
    reader.write(16 * MIB);
    for (let i = 1; i < 6; i++) {
      await reader.take(FRAME.length);
      reader.seconds(5);
      expect(reader.output.destroyed, `after ${5 * i} s`).toBe(false);
    }
    await reader.take(FRAME.length);
    reader.seconds(5);
    expect(reader.output.destroyed).toBe(true);
  });

  test('is dropped at once past 32 MiB', () => {
    const reader = slowReader();
    reader.write(32 * MIB);
    expect(reader.output.destroyed).toBe(false);
    reader.write(FRAME.length);
    expect(reader.output.destroyed).toBe(true);
  });

  test('may take nothing for long once it is less than 8 MiB behind', async () => {
    const reader = slowReader();
    reader.write(12 * MIB);
    await reader.take(5 * MIB);
    reader.seconds(10);
    expect(reader.output.destroyed).toBe(false);
  });
});

test('an end comes after all that was written', async () => {
  const reader = slowReader();
  reader.write(4 * MIB);
  reader.writer.end();
  await reader.take(4 * MIB);
  expect(reader.takenBytes()).toBe(4 * MIB);
  expect(reader.output.writableFinished).toBe(true);
});

test('an end waits for a reader that is behind', async () => {
  const reader = slowReader();
  reader.write(14 * MIB);
  reader.writer.end();
  reader.seconds(10);
  await reader.take(14 * MIB);
  expect(reader.takenBytes()).toBe(14 * MIB);
  expect(reader.output.writableFinished).toBe(true);
});

test('an end does not wait for a reader that takes nothing', () => {
  const reader = slowReader();
  reader.write(MIB);
  reader.writer.end();
  reader.seconds(29);
  expect(reader.output.destroyed).toBe(false);
  reader.seconds(1);
  expect(reader.output.destroyed).toBe(true);
});
