/**
 * Returns a query for one row, `seq`. Every attempt up to `seq` began before `time`, so a scan for
 * later attempts starts there.
 *
 * Attempts are stored in the order in which they ended. Their starts are out of order by at most
 * the duration of the longest attempt. So callers subtract that duration from `time`.
 *
 * No index has the time, so this is a binary search. A scan back from the newest attempt could read
 * every attempt.
 *
 * @param time the SQL parameter with the time, Unix ms
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
