/** The longest wait that a receiver can ask for, ms. */
const RETRY_AFTER_MAX_MS = 24 * 60 * 60 * 1000;

/**
 * The three forms of an HTTP date (RFC 9110, section 5.6.7). Texts are matched before `Date.parse`,
 * which accepts almost anything. For example, it reads `-5` as a day in May 2001.
 */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC850_DATE = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Returns the wait that a `Retry-After` header asks for (RFC 9110, section 10.2.3), ms, at most 24
 * hours. Returns null if the header is absent, invalid, negative or in the past.
 *
 * @param nowMs Unix ms
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_MAX_MS);
  const waitMs = parseHttpDate(text) - nowMs;
  // A text that isn't a date gives NaN, which fails this comparison too.
  return waitMs > 0 ? Math.min(waitMs, RETRY_AFTER_MAX_MS) : null;
}

function parseHttpDate(text: string): number {
  if (IMF_FIXDATE.test(text) || RFC850_DATE.test(text)) return Date.parse(text);
  // This form has no time zone. Without the added GMT, `Date.parse` would read it as local time.
  return ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
