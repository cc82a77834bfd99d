import type { CallBody } from '../../../api/client/typed-call.ts';
import type { CustomSchemeAnswer, SourceAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { ProviderAnswer } from '../../../api/sources/provider-answer.ts';
import type { AsTyped } from '../../model/as-typed.ts';
import { titleOf } from '../../text/verification-text.ts';

/** The settings to change, as the user typed them. */
export type SourceInput = AsTyped<NonNullable<CallBody<'PATCH /api/endpoints/{id}'>['source']>>;

/** The texts of a source form's fields. */
export interface SourceForm {
  /** The provider's title, or its name. */
  provider: string;
  /** Empty means the capture URL. */
  url: string;
  /** Only for `token`: the token's place in the request. */
  in: string;
  /** Only for `custom`. */
  scheme: SchemeForm;
}

export type SchemeForm = Record<keyof CustomSchemeAnswer, string>;

export interface SecretRow {
  key: number;
  /** Only for `basic`. */
  user: string;
  /** The secret as the user typed it. */
  value: string;
  /**
   * The masked text of a saved secret, and its number in the source, from 1. Null for a new secret.
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
 * Returns rows for the secrets of a source. Without a source, returns an empty row for the first
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

/** Returns the provider with this title or name, or null if there is none. */
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
 * Returns the body of a PATCH or of a check, with only the changed values. Values stay as the user
 * typed them, because the server validates them.
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

/** Returns the new secrets that aren't empty, in the order of the server's error paths. */
export const typedRows = (rows: readonly SecretRow[]) =>
  rows.filter(({ present, user, value }) => present === null && (value !== '' || user !== ''));

/**
 * Returns a secret in the API's form. Removes the line break after pasted text, and the blanks
 * around a provider's secret.
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
