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

/** The texts of a destination form's fields. */
export type DestinationForm = Record<PlainSetting | SettingPart, string> & {
  url: string;
  filter: string;
  /**
   * The kind of retry policy. `server` means the server's own policy. The fields of the other kinds
   * are then ignored.
   */
  retry: string;
  sign_as: string;
};

/** The settings to change, as the user typed them. */
export type DestinationInput = AsTyped<
  CallBody<'PATCH /api/endpoints/{id}/destinations/{destinationId}'>
>;

type DestinationBody = Pick<DestinationInput, DestinationSetting | 'url'>;

/** The default values for growing delays. */
const GROWING = { attempts: '8', base: '5s', factor: '5', max: '24h' };

export interface SecretChange {
  /** An empty text keeps the current secret. */
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

/** Returns the form's rows for a destination's headers. */
export function headerRows({ headers }: DestinationAnswer): HeaderLine[] {
  return Object.entries(headers ?? {}).map(([name, masked], key) => ({
    key,
    name,
    value: '',
    masked,
  }));
}

/**
 * Returns the body of the PATCH, with only the changed values. Values stay as the user typed them,
 * because the server validates them.
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

/** Returns a fault for each repeated name of a header, because an object has one value per name. */
export function headerIssues(rows: readonly HeaderLine[]): FieldErrorAnswer[] {
  const seen = new Set<string>();
  const issues: FieldErrorAnswer[] = [];
  for (const { name } of rows.filter(isSent)) {
    if (seen.has(name)) issues.push({ path: `headers.${name}`, message: 'is there twice' });
    seen.add(name);
  }
  return issues;
}

/** Returns the headers to change, or null if no header changes. */
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

/** Returns the values of the fields in the API's form. */
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
 * Returns a number if the text is one. Otherwise returns the text, so that the server explains it.
 */
function numberOr(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function entriesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

/** Returns whether the server considers two URLs equal. The server normalizes URLs like `URL`. */
export function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
