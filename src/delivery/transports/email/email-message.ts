import MailComposer from 'nodemailer/lib/mail-composer';
import type { EmailContent } from '../../../core/channels/email-content.ts';
import type { MailSender } from '../../../core/channels/smtp-settings.ts';
import type { HeaderPair } from '../../../core/model.ts';

export interface Email extends EmailContent {
  from: MailSender;
  /** One address. */
  to: string;
  /** With its angle brackets. */
  messageId: string;
  /** Unix ms. */
  date: number;
}

/** Returns the bytes of a message (RFC 5322) with plain text and HTML. */
export function emailBytes(email: Email): Promise<Buffer> {
  const { from, to, subject, text, html, messageId, date } = email;
  return new MailComposer({
    // A copy, because nodemailer writes to it.
    from: { ...from },
    // An object, because nodemailer would read several addresses from a string.
    to: { name: '', address: to },
    ...{ subject, text, html, messageId },
    date: new Date(date),
    headers: AUTOMATIC,
    // Without these, nodemailer would load a text that looks like a path or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/** Headers that prevent out-of-office answers: the one of RFC 3834, section 5, and Exchange's. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** Returns the headers for the attempt's record. */
export function emailHeaders({ from, to, subject, messageId, date }: Email): HeaderPair[] {
  return [
    ['from', from.name === '' ? from.address : `${from.name} <${from.address}>`],
    ['to', to],
    ['subject', subject],
    ['message-id', messageId],
    ['date', new Date(date).toUTCString()],
  ];
}
