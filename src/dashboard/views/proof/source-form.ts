import type { CallBody } from '../../../api/client/typed-call.ts';
import type { CustomSchemeAnswer, SourceAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { ProviderAnswer } from '../../../api/sources/provider-answer.ts';
import type { AsTyped } from '../../model/as-typed.ts';
import { titleOf } from '../../text/verification-text.ts';

/** The settings to change, as they were typed. */
export type SourceInput = AsTyped<NonNullable<CallBody<'PATCH /api/endpoints/{id}'>['source']>>;

/** A source, as the form's fields hold it. */
export interface SourceForm {
  /** The provider's title, or its name. */
  provider: string;
  /** Empty means the capture URL. */
  url: string;
  /** Only for `token`: where the request has the token. */
  in: string;
  /** Only for `custom`. */
  scheme: SchemeForm;
}

export type SchemeForm = Record<keyof CustomSchemeAnswer, string>;

/** A row of the form for a secret. */
export interface SecretRow {
  /** Identifies the row. */
  key: number;
  /** Only for `basic`. */
  user: string;
  /** The secret as it was typed. */
  value: string;
  /**
   * A saved secret: its masked text, and its number in the source, from 1. Null for a new secret.
   */
  present: { masked: string; number: number } | null;
  isRemoved: boolean;
}

const NEW_SCHEME: SchemeForm = {
  signature: 'header.x-signature',
  form: '{hex}',
  algorithm: 'hmac-sha256',
  signed: '{body}',
  timestamp: '',
  tolerance: '5m',
};

const NEW_PLACE = 'header.x-token';

export function sourceFormOf(
  source: SourceAnswer | null,
  catalogue: readonly ProviderAnswer[],
): SourceForm {
  return {
    provider: source ? titleOf(source.provider, catalogue) : '',
    url: source?.url ?? '',
    in: source?.in ?? NEW_PLACE,
    scheme: source?.scheme
      ? { ...source.scheme, timestamp: source.scheme.timestamp ?? '' }
      : NEW_SCHEME,
  };
}

/**
 * Returns rows for the secrets of a source. Without a source, returns an empty row for its first
 * secret.
 */
export function secretRowsOf(source: SourceAnswer | null): SecretRow[] {
  if (source === null) return [newSecret(0)];
  return source.secrets.map((masked, i) => ({
    ...newSecret(i),
    present: { masked, number: i + 1 },
  }));
}

export function newSecret(key: number): SecretRow {
  return { key, user: '', value: '', present: null, isRemoved: false };
}

/** Returns the provider that the user typed, by its title or its name. */
export function providerNamed(
  typed: string,
  catalogue: readonly ProviderAnswer[],
): ProviderAnswer | null {
  const wanted = typed.trim().toLowerCase();
  const found = catalogue.find(
    ({ name, title }) => name === wanted || title.toLowerCase() === wanted,
  );
  return found ?? null;
}

/**
 * Returns the body of a PATCH or of a check: the values that differ from the saved source. It
 * doesn't check them. The server does.
 *
 * @param provider null if the page doesn't know the provider; the server then refuses its name
 */
export function sourceChange(
  before: SourceAnswer | null,
  form: SourceForm,
  rows: readonly SecretRow[],
  provider: ProviderAnswer | null,
): SourceInput {
  const name = provider?.name ?? form.provider.trim();
  const kept = before?.provider === name ? before : null;
  const has = (field: string) => provider?.fields.includes(field) === true;
  const url = form.url.trim() || null;
  const place = form.in.trim();
  const scheme = schemeOf(form.scheme);
  const change: SourceInput = secretsChange(kept, rows, name);
  if (kept === null) change.provider = name;
  if (has('url') && url !== (kept?.url ?? null)) change.url = url;
  if (has('in') && place !== kept?.in) change.in = place;
  if (has('scheme') && !isSame(scheme, kept?.scheme)) change.scheme = scheme;
  return change;
}

function secretsChange(
  kept: SourceAnswer | null,
  rows: readonly SecretRow[],
  name: string,
): Pick<SourceInput, 'secrets' | 'keep_secrets'> {
  const secrets = typedRows(rows).map((row) => secretOf(row, name));
  if (kept === null) return { secrets };
  const staying = stayingRows(rows).map(({ present }) => present?.number as number);
  if (secrets.length === 0 && staying.length === kept.secrets.length) return {};
  return { keep_secrets: staying, ...(secrets.length > 0 && { secrets }) };
}

const stayingRows = (rows: readonly SecretRow[]) =>
  rows.filter(({ present, isRemoved }) => present !== null && !isRemoved);

/**
 * Returns the new secrets that have a text. Their order is that of the numbers in the server's
 * errors.
 */
export const typedRows = (rows: readonly SecretRow[]) =>
  rows.filter(({ present, user, value }) => present === null && (value !== '' || user !== ''));

/**
 * Returns a secret as the API takes it. Pasted text ends with a line break, and a provider's secret
 * has no blanks around it.
 */
function secretOf({ user, value }: SecretRow, provider: string): string {
  const line = value.replace(/^[\r\n]+|[\r\n]+$/g, '');
  if (provider === 'basic') return `${user.trim()}:${line}`;
  return provider === 'custom' ? line : line.trim();
}

type SchemeChange = NonNullable<SourceInput['scheme']>;

function schemeOf(form: SchemeForm): SchemeChange {
  return {
    signature: form.signature.trim(),
    form: form.form.trim(),
    algorithm: form.algorithm.trim(),
    signed: form.signed.trim(),
    timestamp: form.timestamp.trim() || null,
    tolerance: form.tolerance.trim() || undefined,
  };
}

function isSame(scheme: SchemeChange, before: CustomSchemeAnswer | undefined): boolean {
  if (before === undefined) return false;
  const names = Object.keys(before) as (keyof CustomSchemeAnswer)[];
  return names.every((name) => scheme[name] === before[name]);
}
