import { formatIsoTime } from '../../core/text/time.ts';
import { clean, quoted } from '../../core/text/words.ts';
import { decimalAmount, minorAmount } from '../../providers/describing/money.ts';
import { PayloadReader } from '../../providers/describing/payload-reader.ts';

/**
 * At most this many values are visited. The first thousands suffice to describe a larger payload.
 */
const MAX_VISITED = 2000;
const MAX_DEPTH = 8;
/**
 * At most this many members of one array or object are visited. Otherwise a long list would use up
 * `MAX_VISITED`.
 */
const MAX_MEMBERS = 40;
const MAX_FOUND = 8;
const MAX_VALUE = 80;

const EMAIL = /^[^\s@<>"']{1,64}@[^\s@<>"']{1,190}\.[A-Za-z]{2,}$/;
const CURRENCIES = ['currency', 'currency_code', 'currencyCode', 'Currency'];
const AMOUNT =
  /^(amount|(total|net|gross)_?(amount|price)|(grand|sub)_?total|total|amount_?(paid|due)|(unit_?)?(price|amount)|balance|fee|cost|sum|value)s?$/i;
/** Names of amounts that are for one piece, if a quantity stands beside them. */
const EACH = /^(unit_?)?(price|amount|cost)$/i;
const QUANTITIES = ['quantity', 'qty', 'Quantity'];
const CENTS = /(cents|minor|_in_cents)$/i;
/** Names of versions, whose values may look like dates. */
const VERSION = /version/i;
const TIME = /(_at|At|date|time|timestamp|created|updated|expires)$/;
const NAMES =
  /^(name|title|subject|full_name|fullName|display_name|displayName|username|login|company|summary|description|message|text|reason)$/;
const STATES = /^(status|state|action|result|outcome|level|severity|priority|environment)$/;
/** Names of secrets, whose values are never shown. */
const SECRET =
  /secret|token|password|passwd|api_?key|authorization|signature|credential|cvc|cvv|ssn|iban/i;

type Kind = 'id' | 'name' | 'state' | 'amount' | 'email' | 'time' | 'link';
/** The kinds, the most informative first. */
const ORDER: Kind[] = ['name', 'state', 'amount', 'email', 'id', 'time', 'link'];

/**
 * Finds names, states, amounts, e-mail addresses, ids, times and links in an unknown payload, and
 * gives each with its path. Searches breadth-first and visits a bounded number of values.
 */
export function notable(value: unknown): string[] {
  const found = new Map<Kind, string[]>();
  const queue: { path: string; name: string; parent: unknown; value: unknown; depth: number }[] = [
    { path: '', name: '', parent: null, value, depth: 0 },
  ];
  for (let i = 0; i < queue.length && i < MAX_VISITED; i++) {
    const at = queue[i] as (typeof queue)[number];
    if (typeof at.value === 'object' && at.value !== null) {
      if (at.depth >= MAX_DEPTH) continue;
      let room = MAX_MEMBERS;
      for (const name of Object.keys(at.value)) {
        if (room-- <= 0) break;
        const child = (at.value as Record<string, unknown>)[name];
        const path = at.path === '' ? name : `${at.path}.${name}`;
        queue.push({ path, name, parent: at.value, value: child, depth: at.depth + 1 });
      }
      continue;
    }
    const fact = factOf(at);
    if (!fact) continue;
    const list = found.get(fact.kind) ?? [];
    if (list.length < 3) list.push(`${clean(at.path, 60)} ${fact.text}`);
    found.set(fact.kind, list);
  }
  return ORDER.flatMap((kind) => found.get(kind) ?? []).slice(0, MAX_FOUND);
}

interface At {
  name: string;
  parent: unknown;
  value: unknown;
}

function factOf({ name, parent, value }: At): { kind: Kind; text: string } | null {
  if (SECRET.test(name)) return null;
  const isNumber = typeof value === 'number';
  if (!isNumber && typeof value !== 'string') return null;
  const text = String(value);
  if (text === '') return null;
  if (AMOUNT.test(name) || CENTS.test(name)) {
    const money = moneyOf(name, parent, value);
    if (money) return { kind: 'amount', text: money };
  }
  if (TIME.test(name) && !VERSION.test(name)) {
    const time = new PayloadReader({ value }).time('value');
    if (time !== null && (!isNumber || value > 1e9)) return { kind: 'time', text: time };
  }
  if (isNumber) return isId(name) ? { kind: 'id', text } : null;
  if (EMAIL.test(text)) return { kind: 'email', text: clean(text, MAX_VALUE) };
  const time = VERSION.test(name) ? null : formatIsoTime(text);
  if (time !== null) return { kind: 'time', text: time };
  if (isId(name)) return { kind: 'id', text: clean(text, MAX_VALUE) };
  if (NAMES.test(name)) return { kind: 'name', text: quoted(text, MAX_VALUE) };
  if (STATES.test(name)) return { kind: 'state', text: quoted(text, MAX_VALUE) };
  if (/^https?:\/\//.test(text))
    return { kind: 'link', text: clean(withoutQuery(text), MAX_VALUE) };
  return null;
}

/** Returns a link without its query, because services put tokens there. */
function withoutQuery(url: string): string {
  return url.slice(0, 500).replace(/[?#].*$/s, '');
}

function isId(name: string): boolean {
  return /^(id|uuid|number|reference|key|sku|.*(_id|Id|ID|_number))$/.test(name);
}

/** Returns an amount with the currency and the quantity that stand beside it: `3 × 19.99 EUR`. */
function moneyOf(name: string, parent: unknown, value: unknown): string | null {
  const beside = new PayloadReader(parent);
  const code = beside.first(...CURRENCIES);
  const amount = amountOf(name, parent, String(value), code);
  const quantity = QUANTITIES.map((path) => beside.number(path)).find((count) => count !== null);
  return amount !== null && quantity !== undefined && EACH.test(name)
    ? `${quantity} × ${amount}`
    : amount;
}

/**
 * Returns an amount in words. A name such as `price_cents` gives the unit. A whole number with a
 * currency may count euros or cents. If an amount beside it has a fraction, it counts euros.
 * Otherwise the text names both units.
 */
function amountOf(name: string, parent: unknown, text: string, code: string | null): string | null {
  if (CENTS.test(name)) return minorAmount(Number(text), code);
  if (code === null && /^value$/i.test(name)) return null;
  const inMajor = decimalAmount(text, code);
  const inMinor = /^-?\d+$/.test(text) ? minorAmount(Number(text), code) : null;
  // The yen has no smaller unit.
  const isCertain = inMinor === null || inMinor === inMajor || Number(text) === 0;
  if (inMajor === null || isCertain || hasFraction(parent)) return inMajor;
  return `${text} in ${inMinor.slice(-3)} or its smallest unit`;
}

function hasFraction(parent: unknown): boolean {
  if (typeof parent !== 'object' || parent === null) return false;
  return Object.entries(parent)
    .slice(0, MAX_MEMBERS)
    .some(([name, value]) => AMOUNT.test(name) && /^-?\d+\.\d+$/.test(String(value)));
}
