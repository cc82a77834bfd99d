import { escapeAttribute, escapeText } from 'entities/escape';
import * as v from 'valibot';
import { clean } from '../text/words.ts';
import type { Notice } from './notice.ts';

/** The longest subject, characters. */
const MOST_SUBJECT = 150;

/** An e-mail without its envelope: the body of an `email` channel's event. */
export interface EmailContent {
  /** One line. */
  subject: string;
  text: string;
  /** HTML without pictures and scripts. Opening the e-mail loads nothing. */
  html: string;
}

export function emailContent({ title, paragraphs, steps, link }: Notice): EmailContent {
  const text = [
    title,
    ...paragraphs,
    ...(steps === '' ? [] : [steps]),
    ...(link === null ? [] : [`${link.label}: ${link.url}`]),
  ];
  const html = [
    `<h1 style="font-size:18px">${escapeText(title)}</h1>`,
    ...paragraphs.map((paragraph) => `<p>${lines(paragraph)}</p>`),
    ...(steps === '' ? [] : [`<pre style="white-space:pre-wrap">${escapeText(steps)}</pre>`]),
    ...(link === null
      ? []
      : [`<p><a href="${escapeAttribute(link.url)}">${escapeText(link.label)}</a></p>`]),
  ];
  return {
    subject: `[hookrelay] ${clean(title, MOST_SUBJECT)}`,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html><body style="font-family:sans-serif">${html.join('')}</body></html>`,
  };
}

const emailContentSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ subject: v.string(), text: v.string(), html: v.string() }),
);

/** Reads the JSON of an `EmailContent`. Returns null for any other text. */
export function readEmailContent(text: string): EmailContent | null {
  const { success, output } = v.safeParse(emailContentSchema, text);
  return success ? { ...output, subject: clean(output.subject, MOST_SUBJECT * 2) } : null;
}

function lines(text: string): string {
  return escapeText(text).replaceAll('\n', '<br>');
}
