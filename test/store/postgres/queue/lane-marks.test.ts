import { describe, expect, test } from 'vitest';
import { LaneMarks } from '../../../../src/store/postgres/queue/lane-marks.ts';

const NONE = new Set<number>();
const NOW = 1_000_000;

/** A look at `now` that finds what `oldest` says. Returns the marks from which it started. */
async function look(
  marks: LaneMarks,
  now: number,
  oldest: [number, number | null][],
  meanwhile: () => void = () => {},
): Promise<[number, number][]> {
  const started = marks.known(now, NONE);
  await marks.follow(started, async () => {
    meanwhile();
    return { result: null, oldest: new Map(oldest) };
  });
  return started.lanes.map(({ key, since }) => [key, since]);
}

describe('a look', () => {
  test('starts at the earliest due time noted, and leaves skipped lanes out', () => {
    const marks = new LaneMarks();
    for (const dueAt of [300, 100, 200]) marks.note(1, dueAt);
    marks.note(2, 50);
    expect(marks.known(NOW, new Set([2])).lanes).toEqual([{ key: 1, since: 100 }]);
  });

  test('starts a second ago at the latest, for commits that are late', () => {
    const marks = new LaneMarks();
    marks.note(1, NOW + 60_000);
    expect(marks.known(NOW, NONE).lanes).toEqual([{ key: 1, since: NOW - 1000 }]);
  });

  test('moves the mark to the oldest open delivery', async () => {
    const marks = new LaneMarks();
    marks.note(1, 100);
    await look(marks, NOW, [[1, 900]]);
    expect(marks.known(NOW, NONE).lanes).toEqual([{ key: 1, since: 900 }]);
  });

  test('of deliveries due later starts the next one where it ended', async () => {
    const marks = new LaneMarks();
    marks.note(1, 100);
    await look(marks, NOW, []);
    expect(marks.known(NOW + 60_000, NONE).lanes).toEqual([{ key: 1, since: NOW }]);
  });

  test('forgets a lane where nothing is open', async () => {
    const marks = new LaneMarks();
    marks.note(1, 100);
    await look(marks, NOW, [[1, null]]);
    expect(marks.known(NOW, NONE).lanes).toEqual([]);
    expect(marks.since(1)).toBeNull();
  });

  test('keeps what is noted meanwhile', async () => {
    const marks = new LaneMarks();
    for (const key of [1, 2, 3]) marks.note(key, 100);
    await look(
      marks,
      NOW,
      [
        [1, null],
        [2, 900],
      ],
      () => {
        marks.note(1, 500);
        marks.note(2, 400);
        marks.note(3, NOW + 60_000);
        marks.note(4, 300);
      },
    );
    expect(await look(marks, NOW + 60_000, [])).toEqual([
      [1, 500],
      [2, 400],
      [3, NOW],
      [4, 300],
    ]);
  });

  test('moves no marks while another look does, or when it fails', async () => {
    const marks = new LaneMarks();
    marks.note(1, 100);
    const lanes = marks.known(NOW, NONE);
    await marks.follow(lanes, async () => {
      // The inner look read before a commit that the outer one has read.
      await marks.follow(lanes, async () => ({ result: null, oldest: new Map([[1, null]]) }));
      return { result: null, oldest: new Map([[1, 700]]) };
    });
    expect(marks.since(1)).toBe(700);
    await expect(marks.follow(lanes, () => Promise.reject(new Error('away')))).rejects.toThrow();
    expect(marks.since(1)).toBe(700);
    await look(marks, NOW, [[1, 800]]);
    expect(marks.since(1)).toBe(800);
  });
});

test('a clock set back moves all marks back, also those of a look under way', async () => {
  const marks = new LaneMarks();
  marks.note(1, NOW);
  await look(marks, NOW, [[1, NOW]], () => marks.moveBack(-60_000));
  expect(marks.since(1)).toBe(NOW - 60_000);
});
