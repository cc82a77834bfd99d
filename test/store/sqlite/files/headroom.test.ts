import { describe, expect, test } from 'vitest';
import { type DiskSpace, reserveOf } from '../../../../src/store/sqlite/files/disk-space.ts';
import { Headroom } from '../../../../src/store/sqlite/files/headroom.ts';
import { ManualClock } from '../../../fixtures/manual-clock.ts';
import { until } from '../../../fixtures/until.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

test.each([
  ['400 MiB', 400 * MIB, 256 * MIB],
  ['5 GiB, of which 5 % are 256 MiB', 5 * GIB, 256 * MIB],
  ['10 GiB', 10 * GIB, 512 * MIB],
  ['20 GiB, of which 5 % are 1 GiB', 20 * GIB, GIB],
  ['4 TiB', 4096 * GIB, GIB],
])('the reserve of a disk of %s', (_, diskBytes, reserve) => {
  expect(reserveOf(diskBytes)).toBe(reserve);
});

describe('with a reserve of 512 MiB', () => {
  /** Whether captures are allowed with this free space on the disk and in the database. */
  async function isOpen(freeMib: number, freePagesMib: number, growthMib = 0): Promise<boolean> {
    const space: DiskSpace = { freeBytes: freeMib * MIB, reserveBytes: 512 * MIB };
    const headroom = new Headroom(
      new ManualClock(),
      async () => space,
      () => ({ freePagesBytes: freePagesMib * MIB, growthBytes: growthMib * MIB }),
    );
    await headroom.measure();
    return isOpenNow(headroom);
  }

  test.each([
    [512, 0, true],
    [511, 0, false],
    // Free pages in the database, from deletions, fill the gap …
    [511, 1, true],
    [400, 112, true],
    [400, 111, false],
    [256, 256, true],
    // … but the log needs room on the disk: half of the reserve must stay.
    [255, 100_000, false],
    [0, 100_000, false],
  ])('%i MiB free and %i MiB in free pages: captures %s', async (free, pages, open) => {
    expect(await isOpen(free, pages)).toBe(open);
  });

  test('the space that the next checkpoint takes is not free', async () => {
    expect(await isOpen(600, 0, 88)).toBe(true);
    expect(await isOpen(600, 0, 89)).toBe(false);
    expect(await isOpen(600, 1000, 344)).toBe(true);
    expect(await isOpen(600, 1000, 345)).toBe(false);
  });
});

test('capture stops and continues by itself, within a tenth of a second of captures', async () => {
  const clock = new ManualClock();
  let freeBytes = GIB;
  let looks = 0;
  const headroom = new Headroom(
    clock,
    async () => {
      looks++;
      return { freeBytes, reserveBytes: 512 * MIB };
    },
    () => ({ freePagesBytes: 0, growthBytes: 0 }),
  );
  await headroom.measure();
  expect(isOpenNow(headroom)).toBe(true);
  freeBytes = 0;
  clock.advance(99);
  expect(isOpenNow(headroom)).toBe(true);
  const before = looks;
  clock.advance(1);
  await until('it is closed', () => !isOpenNow(headroom));
  // One measurement for each interval, however many captures check.
  expect(looks).toBe(before + 1);
  expect(() => headroom.check()).toThrow(
    expect.objectContaining({
      code: 'storage_full',
      retryAfterS: 30,
      hint: expect.stringContaining('--retention'),
    }),
  );
  freeBytes = GIB;
  clock.advance(100);
  await until('it is open', () => isOpenNow(headroom));
});

test('a file system without figures does not count as full', async () => {
  const headroom = new Headroom(
    new ManualClock(),
    async () => null,
    () => ({ freePagesBytes: 0, growthBytes: 0 }),
  );
  await headroom.measure();
  expect(isOpenNow(headroom)).toBe(true);
});

test('after a failed measurement the verdict stays, and nothing ends', async () => {
  const space: DiskSpace = { freeBytes: 0, reserveBytes: 512 * MIB };
  let broken = false;
  const headroom = new Headroom(
    new ManualClock(),
    async () => space,
    () => {
      if (broken) throw new Error('EIO');
      return { freePagesBytes: 0, growthBytes: 0 };
    },
  );
  await headroom.measure();
  broken = true;
  await expect(headroom.measure()).resolves.toBeUndefined();
  expect(() => headroom.check()).toThrow('the disk is almost full');
});

function isOpenNow(headroom: Headroom): boolean {
  try {
    headroom.check();
    return true;
  } catch {
    return false;
  }
}
