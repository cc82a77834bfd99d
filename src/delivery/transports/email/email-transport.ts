import { type EmailContent, readEmailContent } from '../../../core/channels/email-content.ts';
import { mailtoAddress } from '../../../core/channels/mailto-url.ts';
import type { SmtpSettings } from '../../../core/channels/smtp-settings.ts';
import { HookrelayError } from '../../../core/errors.ts';
import { NameResolver } from '../../network/name-resolver.ts';
import { notSent } from '../not-sent.ts';
import type {
  AttemptOutcome,
  SentTo,
  Transport,
  TransportDelivery,
  TransportOptions,
} from '../transport.ts';
import type { Email } from './email-message.ts';

/**
 * Sends e-mail to channels through the operator's mail server. The destination is a `mailto:` URL,
 * and the event's body is an `EmailContent`. The mail server's address may be private, because the
 * operator chose it.
 */
export class EmailTransport implements Transport {
  readonly #options: TransportOptions;
  readonly #names: NameResolver;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#names = new NameResolver({ ...options, allowPrivate: true });
  }

  async validate({ url }: SentTo): Promise<SentTo> {
    if (mailtoAddress(url) !== null) return { url };
    const message = 'must be a mailto: URL';
    throw new HookrelayError('invalid_input', `The destination's URL ${message}.`, {
      issues: [{ path: 'url', message }],
    });
  }

  async attempt(delivery: TransportDelivery): Promise<AttemptOutcome | null> {
    const { smtp, timeoutMs, clock, signal } = this.#options;
    if (smtp === null) return withoutServer();
    const to = mailtoAddress(delivery.destination.url);
    const content = readEmailContent(delivery.request.body.toString('utf8'));
    if (to === null || content === null) return unreadable();
    const email = emailOf(delivery, to, content, smtp);
    // Loaded at the first e-mail. Most servers send none, and start faster without it.
    const { sendEmail } = await import('./send-email.ts');
    return sendEmail(email, {
      smtp,
      lookup: this.#names.lookup,
      timeoutMs: delivery.destination.settings.timeout ?? timeoutMs,
      clock,
      signal,
    });
  }

  async close(): Promise<void> {
    this.#names.close();
  }
}

/**
 * Returns the e-mail. All attempts of a delivery have the same Message-ID, so that a mailbox shows
 * repeated e-mails as one.
 */
function emailOf(
  { id, attemptedAt }: TransportDelivery,
  to: string,
  content: EmailContent,
  { from }: SmtpSettings,
): Email {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return { ...content, from, to, messageId: `<${id}@${domain}>`, date: attemptedAt };
}

function withoutServer(): AttemptOutcome {
  const message = 'hookrelay has no mail server: it runs without --smtp-url.';
  return notSent({ code: 'connect_error', message }, 'fatal');
}

function unreadable(): AttemptOutcome {
  const message = 'The event is not a message of a channel.';
  return notSent({ code: 'request_unreadable', message }, 'fatal');
}
