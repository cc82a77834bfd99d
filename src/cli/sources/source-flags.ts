import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { CallBody } from '../../api/client/typed-call.ts';
import { HookrelayError } from '../../core/errors.ts';
import { someText } from '../arguments.ts';
import { failure, usageError, withHint } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';
import { readSecret } from '../terminal/prompt.ts';

type EndpointChange = CallBody<'PATCH /api/endpoints/{id}'>;

type SourceChange = NonNullable<EndpointChange['source']>;
type SchemeFlags = NonNullable<SourceChange['scheme']>;

export const addSourceFlags = commandPart((command) =>
  command
    .option(
      '--source <provider>',
      'verify requests as this provider signs them: stripe, token, basic, custom, …',
      someText,
    )
    .option('--secret-stdin', 'verify with the secrets read from stdin, one a line')
    .option(
      '--source-url <url>',
      'URL registered at the provider, if signatures cover it',
      someText,
    )
    .option('--source-in <place>', 'for token: its place, such as header.x-token', someText)
    .option('--source-scheme <json>', 'for custom: how requests are signed', jsonObject),
);

/** Adds the flag that keeps some secrets of a source, so that a change can add or remove one. */
export const addKeepFlag = commandPart((command) =>
  command.option(
    '--keep-secrets <numbers>',
    'keep these present secrets, such as 1,3, besides those of --secret-stdin',
    secretNumbers,
  ),
);

export const addProofFlags = commandPart((command) =>
  addSourceFlags(command)
    .option('--enforce', 'refuse requests that fail verification, with 401')
    .option('--no-enforce', 'capture requests that fail verification, marked as failed')
    .option(
      '--dedupe <paths>',
      'deliver repeated requests once: provider, or paths such as header.x-id,body.id',
      dedupeBy,
    ),
);

type ProofFlags = FlagsOf<typeof addProofFlags>;

/** `--no-source` sets `source` to false, and `--no-source-url` sets `sourceUrl` to false. */
type SourceFlags = Omit<ProofFlags, 'source' | 'sourceUrl' | 'dedupe'> &
  FlagsOf<typeof addKeepFlag> & { source?: string | false; sourceUrl?: string | false };

/** Returns null for `--no-source`, and undefined without a flag. */
export async function chosenSource(flags: SourceFlags): Promise<SourceChange | null | undefined> {
  const { source, secretStdin, keepSecrets, enforce, sourceUrl, sourceIn, sourceScheme } = flags;
  const given: SourceChange = defined({
    provider: source === false ? undefined : source,
    keep_secrets: keepSecrets,
    enforce,
    url: sourceUrl === false ? null : sourceUrl,
    in: sourceIn,
    scheme: sourceScheme,
  });
  const isChanged = secretStdin === true || Object.keys(given).length > 0;
  if (source === false) {
    if (isChanged) throw usageError('--no-source excludes the other source flags');
    return null;
  }
  if (!isChanged) return undefined;
  return { ...given, ...(secretStdin && { secrets: await readSecrets() }) };
}

export function withSecretHint(error: unknown): unknown {
  if (!(error instanceof HookrelayError)) return error;
  if (!error.issues?.some(({ path }) => path === 'source.secrets')) return error;
  return withHint(
    error,
    'add --secret-stdin, which reads the secret: … --secret-stdin <secret.txt',
  );
}

/** Returns null for `--no-dedupe`, and undefined without a flag. */
export function chosenDedupe({
  dedupe,
}: {
  dedupe?: ProofFlags['dedupe'] | false;
}): EndpointChange['dedupe'] {
  if (dedupe === undefined) return undefined;
  return dedupe === false ? null : { by: dedupe };
}

async function readSecrets(): Promise<string[]> {
  const lines = (await readSecret('Secret: ')).split(/\r?\n/).filter((line) => line !== '');
  if (lines.length === 0) throw failure('the secret is empty');
  return lines;
}

/** Matches one path of a list. A comma inside quotes doesn't end the path. */
const PATH = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g;

function dedupeBy(value: string): 'provider' | string[] {
  const text = value.trim();
  if (text === 'provider') return text;
  const paths = (text.match(PATH) ?? []).map((path) => path.trim()).filter((path) => path !== '');
  if (paths.length > 0) return paths;
  throw new InvalidArgumentError('Expected provider, or paths such as header.x-id,body.id.');
}

function secretNumbers(value: string): number[] {
  if (!/^[1-9]\d*(,[1-9]\d*)*$/.test(value)) {
    throw new InvalidArgumentError('Expected numbers from 1, such as 1,3.');
  }
  return value.split(',').map(Number);
}

/** Parses a JSON object. The server checks its members. */
function jsonObject(value: string): SchemeFlags {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as SchemeFlags;
    }
  } catch {
    // Refuse it below.
  }
  throw new InvalidArgumentError(
    `Expected JSON such as '{"signature": "header.x-signature", "form": "{hex}", …}'.`,
  );
}
