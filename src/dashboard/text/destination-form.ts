import type { Destination, RetryPolicy } from '../../api/answers/destination.ts';
import type { Issue } from '../model/api-error.ts';
import { ruleText } from './rules/rule-trial.ts';

/** The settings as the fields of a form show them. */
export interface DestinationForm {
  name: string;
  url: string;
  filter: string;
  state: string;
  path: string;
  timeout: string;
  /** `server`: the server's policy; the fields of the other kinds don't count. */
  retry: string;
  attempts: string;
  base: string;
  factor: string;
  max: string;
  schedule: string;
  give_up_on: string;
  rate_limit: string;
  rate_per: string;
  concurrency: string;
  order_by: string;
  breaker: string;
  hold: string;
  sign_as: string;
}

/** The growing delay that the form offers. */
const GROWING = { attempts: '8', base: '5s', factor: '5', max: '24h' };

/** A header of the form. */
export interface HeaderRow {
  /** Identifies the row. */
  key: number;
  name: string;
  /** As typed; empty keeps the value of a header that the destination has. */
  value: string;
  /** The masked value; null for a new header. */
  masked: string | null;
  isRemoved: boolean;
}

export interface SecretChange {
  /** Empty keeps the secret. */
  secret: string;
  isUnsigned: boolean;
}

export function formOf(destination: Destination): DestinationForm {
  const {
    name,
    url,
    filter,
    state,
    path,
    timeout,
    rate,
    concurrency,
    order_by,
    breaker,
    hold,
    sign_as,
  } = destination;
  return {
    name: name ?? '',
    url,
    filter: ruleText(filter),
    state,
    path,
    timeout: timeout ?? '',
    ...retryFields(destination.retry),
    rate_limit: rate === null ? '' : String(rate.limit),
    rate_per: rate?.per ?? 'second',
    concurrency: String(concurrency),
    order_by: order_by ?? '',
    breaker,
    hold: hold ?? '',
    sign_as: sign_as ?? '',
  };
}

function retryFields(retry: RetryPolicy | null) {
  const give_up_on = retry?.give_up_on?.join(', ') ?? '';
  if (retry === null) return { retry: 'server', ...GROWING, schedule: '', give_up_on };
  if ('schedule' in retry) {
    return { retry: 'schedule', ...GROWING, schedule: retry.schedule.join(', '), give_up_on };
  }
  const { attempts, base, factor, max } = retry;
  return {
    retry: 'growing',
    attempts: String(attempts),
    base,
    factor: String(factor),
    max,
    schedule: '',
    give_up_on,
  };
}

/** The rows of the headers that a destination has. */
export function headerRows({ headers }: Destination): HeaderRow[] {
  return Object.entries(headers ?? {}).map(([name, masked], key) => ({
    key,
    name,
    value: '',
    masked,
    isRemoved: false,
  }));
}

/**
 * The body of the PATCH: only what differs from the destination. Values that the server
 * must judge go as they were typed.
 */
export function changeOf(
  before: Destination,
  form: DestinationForm,
  { secret, isUnsigned }: SecretChange,
  rows: readonly HeaderRow[],
): Record<string, unknown> {
  const old = settingsOf(formOf(before));
  const now = settingsOf(form);
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  const headers = headersOf(rows);
  return {
    ...Object.fromEntries(changed),
    ...(isUnsigned ? { secret: null } : secret !== '' && { secret }),
    ...(headers && { headers }),
  };
}

/** New headers whose name another row has too: an object can't hold both. */
export function headerIssues(rows: readonly HeaderRow[]): Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const { name } of rows.filter(isSent)) {
    if (seen.has(name)) issues.push({ path: `headers.${name}`, message: 'is there twice' });
    seen.add(name);
  }
  return issues;
}

/** Null where no header changes. */
function headersOf(rows: readonly HeaderRow[]): Record<string, string | null> | null {
  const sent = rows.filter(isSent);
  if (sent.length === 0) return null;
  return Object.fromEntries(
    sent.map(({ name, value, isRemoved }) => [name, isRemoved ? null : value]),
  );
}

function isSent({ name, value, masked, isRemoved }: HeaderRow): boolean {
  if (masked === null) return !isRemoved && (name !== '' || value !== '');
  return isRemoved || value !== '';
}

function settingsOf(form: DestinationForm): Record<string, unknown> {
  return {
    name: orNull(form.name),
    url: form.url,
    filter: orNull(form.filter),
    state: form.state,
    path: form.path,
    timeout: orNull(form.timeout),
    retry: retryOf(form),
    rate: form.rate_limit === '' ? null : { limit: numberOr(form.rate_limit), per: form.rate_per },
    concurrency: form.concurrency === '' ? 'auto' : numberOr(form.concurrency),
    order_by: orNull(form.order_by),
    breaker: form.breaker,
    hold: orNull(form.hold),
    sign_as: orNull(form.sign_as),
  };
}

function retryOf(form: DestinationForm): Record<string, unknown> | null {
  if (form.retry === 'server') return null;
  const codes = entriesOf(form.give_up_on).map(numberOr);
  const giveUpOn = codes.length > 0 && { give_up_on: codes };
  if (form.retry === 'schedule') return { schedule: entriesOf(form.schedule), ...giveUpOn };
  return {
    attempts: numberOr(form.attempts),
    base: form.base,
    factor: numberOr(form.factor),
    max: form.max,
    ...giveUpOn,
  };
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** A number where it is one; the server says what is wrong with another text. */
function numberOr(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function entriesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

/** Whether two addresses are the same to the server, which writes them as a URL does. */
export function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
