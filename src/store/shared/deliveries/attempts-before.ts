/**
 * Finds an attempt before `time`, from which a scan for later attempts starts. Selects
 * one row, `seq`; all attempts up to it began before `time`. Attempts are in the order
 * in which they ended. Their starts are therefore in order too, give or take the
 * longest duration of an attempt: callers set `time` that much earlier than the time
 * that they look for.
 *
 * This is a binary search: there is no index by time, and for a time years ago a walk
 * back from the newest would read every attempt.
 *
 * @param time the statement's parameter with the time, Unix ms
 */
export const attemptsBefore = (time: string): string => `
  WITH RECURSIVE search(lo, hi) AS (
    SELECT CAST(0 AS bigint), (SELECT coalesce(max(seq), 0) FROM attempts)
    UNION ALL
    SELECT CASE WHEN a.seq <= s.hi AND a.attempted_at < ${time} THEN a.seq ELSE s.lo END,
      CASE WHEN a.seq <= s.hi AND a.attempted_at < ${time} THEN s.hi
        ELSE (s.lo + s.hi + 1) / 2 - 1 END
    FROM search s
    JOIN attempts a ON a.seq = (SELECT min(seq) FROM attempts WHERE seq >= (s.lo + s.hi + 1) / 2)
    WHERE s.lo < s.hi)
  SELECT max(lo) AS seq FROM search`;
