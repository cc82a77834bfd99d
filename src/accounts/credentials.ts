import * as v from 'valibot';

/** Length limit of a mailbox path (RFC 5321, section 4.5.3.1.3) without its two brackets. */
const EMAIL_MAX_CHARACTERS = 254;
const PASSWORD_MIN_BYTES = 8;
/** Far longer than any passphrase. argon2 reads the whole password, so the length needs a limit. */
const PASSWORD_MAX_BYTES = 1024;

/**
 * The email address of an account, trimmed and in lower case. The schema accepts the same addresses
 * as a browser's `<input type="email">`, such as `admin@localhost` and `o'brien@example.com`.
 */
export const emailSchema = v.pipe(
  v.string('must be a string'),
  v.metadata({
    description: 'Case and surrounding spaces are ignored.',
    examples: ['ada@example.com'],
    format: 'email',
    maxLength: EMAIL_MAX_CHARACTERS,
  }),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(EMAIL_MAX_CHARACTERS, `must have at most ${EMAIL_MAX_CHARACTERS} characters`),
  v.rfcEmail('must be an email address'),
);

/** A new password of an account. No error message repeats any part of the password. */
export const newPasswordSchema = v.pipe(
  v.string('must be a string'),
  v.metadata({
    description: `${PASSWORD_MIN_BYTES} to ${PASSWORD_MAX_BYTES} bytes as UTF-8; normalised to NFC.`,
    format: 'password',
  }),
  // UTF-8 encodes every lone surrogate as U+FFFD, so other passwords would match too.
  v.check((password) => password.isWellFormed(), 'must be well-formed Unicode'),
  v.normalize('NFC'),
  v.minBytes(PASSWORD_MIN_BYTES, `must have at least ${PASSWORD_MIN_BYTES} bytes`),
  v.maxBytes(PASSWORD_MAX_BYTES, `must have at most ${PASSWORD_MAX_BYTES} bytes`),
);

export const registrationSchema = v.object({ email: emailSchema, password: newPasswordSchema });

/** A login doesn't check the rules for passwords. A password that breaks them is simply wrong. */
export const loginSchema = v.object({
  email: emailSchema,
  password: v.pipe(v.string('must be a string'), v.metadata({ format: 'password' })),
});

/** A parsed registration or login. */
export type LoginInput = v.InferOutput<typeof registrationSchema>;
