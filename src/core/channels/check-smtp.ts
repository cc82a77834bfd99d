import { HookrelayError } from '../errors.ts';
import { readSender, readSmtpUrl, type SmtpSettings } from './smtp-settings.ts';

/**
 * Returns the mail server in `--smtp-url` and `--smtp-from`. Null if both are absent. Throws
 * `config_invalid`. Errors never repeat the URL, because it contains a password.
 */
export function checkSmtp(url: string | null, from: string | null): Readonly<SmtpSettings> | null {
  if (url === null && from === null) return null;
  if (url === null || from === null) {
    const [given, missing] = url ? ['--smtp-url', '--smtp-from'] : ['--smtp-from', '--smtp-url'];
    throw new HookrelayError('config_invalid', `${given} is given without ${missing}`, {
      hint: 'set both for e-mail alerts (or HOOKRELAY_SMTP_URL and HOOKRELAY_SMTP_FROM)',
    });
  }
  const server = readSmtpUrl(url);
  if (server === null) {
    throw new HookrelayError(
      'config_invalid',
      '--smtp-url (HOOKRELAY_SMTP_URL) is not the URL of a mail server',
      {
        hint: 'write smtp://user:password@host:587 or smtps://user:password@host; encode @ as %40',
      },
    );
  }
  const sender = readSender(from);
  if (sender === null) {
    throw new HookrelayError(
      'config_invalid',
      '--smtp-from (HOOKRELAY_SMTP_FROM) is not an address',
      { hint: 'write alerts@example.com or "Alerts <alerts@example.com>"' },
    );
  }
  Object.freeze(server.auth);
  return { ...server, from: Object.freeze(sender) };
}
