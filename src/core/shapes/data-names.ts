/**
 * Languages that are common in translations. Other short names count as languages only beside one
 * of these.
 */
const COMMON_LANGUAGES = new Set('de en es fr it ja ko nl pl pt ru zh'.split(' '));
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

const LOCALE = /^[a-z]{2,3}(?:[-_][A-Z][a-z]{3})?(?:[-_](?:[A-Z]{2}|\d{3}))?$/;
const NUMBERED = /^([A-Za-z]+[_-]|[A-Za-z]{1,4}(?=\d{4}))\d+$/;

/**
 * Patterns of names that are data. If one pattern matches all names of an object, the object is a
 * map.
 */
const PATTERNS = [
  // Numbers, and sizes such as 48x48.
  /^-?\d{1,40}(?:x\d{1,5})?$/,
  // Dates, months and times.
  /^\d{4}-\d\d(?:-\d\d(?:[T ].{0,40})?)?$/,
  // UUIDs.
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  // Hashes and object ids.
  /^(?=.*\d)[0-9a-f]{16,128}$/i,
  // ULIDs.
  /^(?=.*\d)[0-9A-HJKMNP-TV-Z]{26}$/i,
  // Ids with a prefix, such as Stripe's. They have a digit, and later a letter.
  /^[A-Za-z]{1,10}_(?=[A-Za-z]*\d\w*[A-Za-z])[A-Za-z0-9_]{10,}$/,
  // Slack's ids.
  /^(?=(?:.*\d){2})[A-Z][A-Z0-9]{8,11}$/,
  // E-mail addresses, links and addresses of hosts.
  /^[^\s@]{1,64}@[^\s@]{1,190}$/,
  /^https?:\/\//,
  /^\d{1,3}(?:\.\d{1,3}){3}$/,
];

/**
 * Returns whether an object's names are data, such as ids, dates, languages or currencies. Such an
 * object is a map, because each event has other names in it.
 */
export function areDataNames(names: readonly string[]): boolean {
  if (names.length === 0) return false;
  return (
    PATTERNS.some((pattern) => names.every((name) => pattern.test(name))) ||
    areLocales(names) ||
    (names.length > 1 && (areCurrencies(names) || areNumbered(names)))
  );
}

function areLocales(names: readonly string[]): boolean {
  if (!names.every((name) => LOCALE.test(name))) return false;
  const languages = names.map((name) => name.split(/[-_]/, 1)[0] as string);
  if (!languages.every((code) => LANGUAGES.of(code) !== undefined)) return false;
  // `id` and `to` are also language codes. So one name needs a region or a common language.
  return names.some((name) => name.length > 4)
    ? names.some((name) => /[-_]/.test(name))
    : names.length > 1 && languages.some((code) => COMMON_LANGUAGES.has(code));
}

function areCurrencies(names: readonly string[]): boolean {
  return names.every((name) => /^[A-Za-z]{3}$/.test(name) && CURRENCIES.has(name.toUpperCase()));
}

/** Returns whether all names have one prefix and a number: `user_17`, `user_42`. */
function areNumbered(names: readonly string[]): boolean {
  const prefixes = names.map((name) => NUMBERED.exec(name)?.[1]);
  return prefixes[0] !== undefined && prefixes.every((prefix) => prefix === prefixes[0]);
}
