import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Coalescer } from '../../../src/api/stream/coalescer.ts';
import { FrameWriter } from '../../../src/api/stream/frame-writer.ts';
import { SharedFrames } from '../../../src/api/stream/shared-frames.ts';

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
    second: () => vi.advanceTimersByTime(1000),
  };
}

describe('a reader with a burst to take', () => {
  test('stays while it takes some of it each second, and gets all', async () => {
    const reader = slowReader();
    reader.write(24 * MIB);
    for (let i = 0; i < 24; i++) {
      await reader.take(MIB);
      reader.second();
      expect(reader.output.destroyed, `after ${i + 1} s`).toBe(false);
    }
    expect(reader.takenBytes()).toBe(24 * MIB);
  });

  test('is dropped in the first second in which it takes nothing', async () => {
    const reader = slowReader();
    reader.write(16 * MIB);
    await reader.take(MIB);
    reader.second();
    expect(reader.output.destroyed).toBe(false);
    reader.second();
    expect(reader.output.destroyed).toBe(true);
  });

  test('is dropped when it takes a little each second', async () => {
    const reader = slowReader();
    reader.write(16 * MIB);
    await reader.take(FRAME.length);
    reader.second();
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
    reader.second();
    reader.second();
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
