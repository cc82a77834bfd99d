/**
 * The last attempt of a prefix of them that all began before `time`: a number to
 * look for later ones from. Attempts are in the order in which they ended, so
 * their beginnings are in order too, but for what an attempt may last: `time` is
 * that much earlier than what is looked for.
 *
 * A binary search, because there is no index by time, and a walk from the newest
 * back would read every attempt for a time of years ago. One row, `seq`.
 *
 * @param time the statement's parameter that holds it, Unix ms
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
