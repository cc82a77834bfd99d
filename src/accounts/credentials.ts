import * as v from 'valibot';

/** Of a path to a mailbox (RFC 5321, section 4.5.3.1.3, less its two brackets). */
const EMAIL_MAX_CHARACTERS = 254;
const PASSWORD_MIN_BYTES = 8;
/** Far past any passphrase; argon2 reads all of it, so there must be an end. */
const PASSWORD_MAX_BYTES = 1024;

/**
 * An email address as accounts are found by it: trimmed and in lower case. What
 * passes is what a browser's `<input type="email">` takes, so `admin@localhost`
 * and `o'brien@example.com` do.
 */
export const emailSchema = v.pipe(
  v.string('must be a string'),
  v.metadata({
    description: 'Case and surrounding blanks are ignored.',
    examples: ['ada@example.com'],
    format: 'email',
    maxLength: EMAIL_MAX_CHARACTERS,
  }),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(EMAIL_MAX_CHARACTERS, `must have at most ${EMAIL_MAX_CHARACTERS} characters`),
  v.rfcEmail('must be an email address'),
);

/** A password that an account may be given. No message repeats any of it. */
export const newPasswordSchema = v.pipe(
  v.string('must be a string'),
  v.metadata({
    description: `${PASSWORD_MIN_BYTES} to ${PASSWORD_MAX_BYTES} bytes as UTF-8; normalised to NFC.`,
    format: 'password',
  }),
  // Lone surrogates all become U+FFFD in UTF-8: other passwords would match too.
  v.check((password) => password.isWellFormed(), 'must be well-formed Unicode'),
  v.normalize('NFC'),
  v.minBytes(PASSWORD_MIN_BYTES, `must have at least ${PASSWORD_MIN_BYTES} bytes`),
  v.maxBytes(PASSWORD_MAX_BYTES, `must have at most ${PASSWORD_MAX_BYTES} bytes`),
);

export const registrationSchema = v.object({ email: emailSchema, password: newPasswordSchema });

/** A login isn't told the rules for passwords: what can't be right is wrong. */
export const loginSchema = v.object({
  email: emailSchema,
  password: v.pipe(v.string('must be a string'), v.metadata({ format: 'password' })),
});

/** Either of them, parsed. */
export type Credentials = v.InferOutput<typeof registrationSchema>;
