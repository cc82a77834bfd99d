import { randomBytes } from 'node:crypto';
import { Option } from '@commander-js/extra-typings';
import { someText } from '../arguments.ts';
import { failure } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { readSecret } from '../terminal/prompt.ts';

/** Size of a generated secret (Standard Webhooks: 24 to 64 bytes). */
const SECRET_BYTES = 32;

export const addGivenSecretFlags = commandPart((command) =>
  command
    .addOption(
      new Option(
        '--secret <secret>',
        'sign with this secret (other users of this machine can see it)',
      )
        .argParser(someText)
        .conflicts(['secretStdin', 'generateSecret']),
    )
    .addOption(
      new Option('--secret-stdin', 'sign with a secret read from stdin').conflicts(
        'generateSecret',
      ),
    ),
);

export const addSecretFlags = commandPart((command) =>
  addGivenSecretFlags(command).option(
    '--generate-secret',
    'sign with a new secret, which is printed once',
  ),
);

/** `--no-secret` sets `secret` to false. */
type SecretFlags = Omit<FlagsOf<typeof addSecretFlags>, 'secret'> & { secret?: string | false };

/** Returns undefined without a flag and with `--no-secret`. */
export async function chosenSecret({
  secret,
  secretStdin,
  generateSecret,
}: SecretFlags): Promise<string | undefined> {
  if (generateSecret) return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  if (!secretStdin) return secret === false ? undefined : secret;
  const given = await readSecret('Secret: ');
  if (given === '') throw failure('the secret is empty');
  return given;
}
