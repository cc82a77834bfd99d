/**
 * Returns a query for one row, `seq`. Every attempt up to `seq` began before `time`, so a scan for
 * later attempts starts there.
 *
 * Attempts are stored in the order in which they ended. So their starts are almost in order: they
 * are off by the longest duration of an attempt at most. Callers make `time` earlier by that
 * duration.
 *
 * It is a binary search, because no index has the time. A walk back from the newest attempt could
 * read every attempt.
 *
 * @param time the statement's parameter that has the time, Unix ms
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
