import type { CallBody } from '../../../api/client/typed-call.ts';
import type {
  DestinationAnswer,
  RetryPolicyAnswer,
} from '../../../api/destinations/destination-answer.ts';
import type { FieldErrorAnswer } from '../../model/api-error.ts';
import type { AsTyped } from '../../model/as-typed.ts';
import type { HeaderLine } from '../../text/header-line.ts';
import { ruleText } from '../../text/trial-text.ts';
import {
  type DestinationSetting,
  PLAIN_FIELDS,
  PLAIN_SETTINGS,
  type PlainSetting,
  type SettingPart,
} from './destination-fields.ts';

/** The settings of a destination, as the form's fields hold them. */
export type DestinationForm = Record<PlainSetting | SettingPart, string> & {
  url: string;
  filter: string;
  /**
   * The kind of retry policy. `server` is the server's own; the fields of the other kinds then
   * don't count.
   */
  retry: string;
  sign_as: string;
};

/** The settings to change, as they were typed. */
export type DestinationInput = AsTyped<
  CallBody<'PATCH /api/endpoints/{id}/destinations/{destinationId}'>
>;

/** The settings that the fields contain. */
type DestinationBody = Pick<DestinationInput, DestinationSetting | 'url'>;

/** The growing delay that the form suggests. */
const GROWING = { attempts: '8', base: '5s', factor: '5', max: '24h' };

export interface SecretChange {
  /** An empty text keeps the present secret. */
  secret: string;
  isUnsigned: boolean;
}

export function formOf(destination: DestinationAnswer): DestinationForm {
  const { url, filter, retry, rate, sign_as } = destination;
  const plain = PLAIN_SETTINGS.map((name) => [name, String(destination[name] ?? '')]);
  return {
    ...(Object.fromEntries(plain) as Record<PlainSetting, string>),
    url,
    filter: ruleText(filter),
    ...retryFields(retry),
    rate_limit: rate === null ? '' : String(rate.limit),
    rate_per: rate?.per ?? 'second',
    sign_as: sign_as ?? '',
  };
}

function retryFields(retry: RetryPolicyAnswer | null) {
  const give_up_on = retry?.give_up_on?.join(', ') ?? '';
  if (retry === null) return { retry: 'server', ...GROWING, schedule: '', give_up_on };
  if ('schedule' in retry) {
    return { retry: 'schedule', ...GROWING, schedule: retry.schedule.join(', '), give_up_on };
  }
  const { attempts, base, factor, max } = retry;
  const growing = { attempts: String(attempts), base, factor: String(factor), max };
  return { retry: 'growing', ...growing, schedule: '', give_up_on };
}

/** Returns the form's rows for the headers of a destination. */
export function headerRows({ headers }: DestinationAnswer): HeaderLine[] {
  return Object.entries(headers ?? {}).map(([name, masked], key) => ({
    key,
    name,
    value: '',
    masked,
  }));
}

/**
 * Returns the body of the PATCH: the values that differ from the saved destination. It doesn't
 * check values that the server checks, and sends them as they were typed.
 */
export function changeOf(
  before: DestinationAnswer,
  form: DestinationForm,
  { secret, isUnsigned }: SecretChange,
  rows: readonly HeaderLine[],
): DestinationInput {
  const old = bodyOf(formOf(before));
  const change: DestinationInput = bodyOf(form);
  for (const name of Object.keys(old) as (keyof DestinationBody)[]) {
    if (JSON.stringify(change[name]) === JSON.stringify(old[name])) delete change[name];
  }
  if (isUnsigned || secret !== '') change.secret = isUnsigned ? null : secret;
  const headers = headersOf(rows);
  if (headers) change.headers = headers;
  return change;
}

/**
 * Returns a fault for each new header whose name another row has too. An object can't hold both.
 */
export function headerIssues(rows: readonly HeaderLine[]): FieldErrorAnswer[] {
  const seen = new Set<string>();
  const issues: FieldErrorAnswer[] = [];
  for (const { name } of rows.filter(isSent)) {
    if (seen.has(name)) issues.push({ path: `headers.${name}`, message: 'is there twice' });
    seen.add(name);
  }
  return issues;
}

/** Returns null if no header changes. */
function headersOf(rows: readonly HeaderLine[]): Record<string, string | null> | null {
  const sent = rows.filter(isSent);
  if (sent.length === 0) return null;
  return Object.fromEntries(
    sent.map(({ name, value, isRemoved }) => [name, isRemoved ? null : value]),
  );
}

function isSent({ name, value, masked, isRemoved = false }: HeaderLine): boolean {
  return value !== '' || isRemoved || (masked === undefined && name !== '');
}

/** Returns the content of the fields as the API takes it. */
export function bodyOf(form: DestinationForm): Required<DestinationBody> {
  const plain = PLAIN_SETTINGS.map((name) => [name, plainValue(name, form[name])]);
  return {
    ...(Object.fromEntries(plain) as Pick<Required<DestinationBody>, PlainSetting>),
    url: form.url,
    filter: orNull(form.filter),
    retry: retryOf(form),
    rate: form.rate_limit === '' ? null : { limit: numberOr(form.rate_limit), per: form.rate_per },
    sign_as: orNull(form.sign_as),
  };
}

/** Returns the value of a field. An empty field means the default, or no value. */
function plainValue(name: PlainSetting, text: string): string | number | null {
  return PLAIN_FIELDS[name].isNumber ? numberOr(text || 'auto') : orNull(text);
}

function retryOf(form: DestinationForm): DestinationInput['retry'] {
  if (form.retry === 'server') return null;
  const codes = entriesOf(form.give_up_on).map(numberOr);
  const give_up_on = codes.length > 0 ? codes : undefined;
  if (form.retry === 'schedule') return { schedule: entriesOf(form.schedule), give_up_on };
  return {
    attempts: numberOr(form.attempts),
    base: form.base,
    factor: numberOr(form.factor),
    max: form.max,
    give_up_on,
  };
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/**
 * Returns a number if the text is one. Otherwise returns the text, because the server says what is
 * wrong with it.
 */
function numberOr(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function entriesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

/**
 * Returns whether the server takes two URLs for the same one. The server normalizes them like
 * `URL`.
 */
export function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
