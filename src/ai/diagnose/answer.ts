import { decodeHTML } from 'entities';
import type { Attempt } from '../../core/model.ts';

/** How much of an answer's body the rules read, characters. */
const MAX_READ = 4096;

export interface ReceiverAnswer {
  status: number;
  /** The body's words on one line, without HTML tags, with entities and escapes decoded. */
  text: string;
  /**
   * Returns the first value of a header, by its lower-case name. Returns an empty text if the
   * header is absent.
   */
  header(name: string): string;
  attempt: Attempt;
}

export function answerOf(attempt: Attempt, status: number): ReceiverAnswer {
  const headers = new Map<string, string>();
  for (const [name, value] of attempt.responseHeaders ?? []) {
    const key = name.toLowerCase();
    if (!headers.has(key)) headers.set(key, value);
  }
  return {
    status,
    text: wordsOf(attempt.responseBody ?? ''),
    header: (name) => headers.get(name) ?? '',
    attempt,
  };
}

/**
 * Returns the words of a body. Decodes entities and escapes, because error pages and some JSON
 * encoders write `'` as `&#39;` or `\u0027`.
 */
export function wordsOf(body: string): string {
  const head = body.slice(0, MAX_READ);
  const isPage = /^\s*<[a-z!?]/i.test(head);
  const plain = isPage
    ? head.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
    : head;
  return decodeHTML(plain)
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/\\(["/])/g, '$1')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns Cloudflare's own error number, or an empty text if there is none. */
export function cloudflareError({ text }: ReceiverAnswer): string {
  return /\berror(?: code)?:? (\d{4})\b/i.exec(text)?.[1] ?? '';
}
