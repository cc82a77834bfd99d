import { clean } from '../../core/text/words.ts';
import type { BodyView } from '../body-view.ts';
import type { AiEvent } from '../event-input.ts';
import { isSecretHeader, isSecretName, REDACTED, redactText } from './redact.ts';

/**
 * The length of a body in a prompt, characters. That is about 2,000 tokens, or a few seconds of a
 * small model on a CPU.
 */
const MAX_BODY_CHARACTERS = 8000;
const MAX_HEADERS = 40;
const MAX_HEADER_CHARACTERS = 200;
const MAX_TEXT = 300;
/** The longest text within JSON that is itself parsed as JSON, characters. */
const MAX_INNER_CHARACTERS = 16_000;
const MAX_DEPTH = 8;
const MAX_ITEMS = 5;
const MAX_NAMES = 50;
const MAX_VALUES = 500;
/** Members whose value names the content of the member beside them. */
const LABEL_NAMES = ['name', 'key', 'field', 'label', 'id', 'title'];
const VALUE_NAMES = ['value', 'content', 'text', 'answer', 'data'];

export function promptHeaders(event: AiEvent): string {
  return [...event.headers]
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => {
      const shown = isSecretHeader(name)
        ? REDACTED
        : redactText(clean(value, MAX_HEADER_CHARACTERS));
      return `${clean(name, 60)}: ${shown}`;
    })
    .join('\n');
}

/**
 * Returns an event's body, cut to `MAX_BODY_CHARACTERS`. Removes secrets, and shortens long lists
 * and long texts.
 */
export function promptBody({ payload }: BodyView): string {
  switch (payload.kind) {
    case 'empty':
      return '(no body)';
    case 'binary':
      return '(binary data)';
    case 'text':
      return cut(redactText(payload.text.slice(0, MAX_BODY_CHARACTERS * 2)));
    case 'form':
      return cut(asText(Object.fromEntries(payload.fields)));
    case 'json':
      return cut(asText(payload.value));
    case 'ndjson':
      return cut(asText(payload.values));
  }
}

function asText(value: unknown): string {
  const room = { values: MAX_VALUES };
  return JSON.stringify(thinned(value, MAX_DEPTH, room), null, 1) ?? 'null';
}

function cut(text: string): string {
  return text.length <= MAX_BODY_CHARACTERS
    ? text
    : `${text.slice(0, MAX_BODY_CHARACTERS).toWellFormed()}\n… (cut)`;
}

/**
 * Shortens a text. If the text is JSON, it is parsed, because names of members reveal which values
 * are secret.
 */
function thinnedText(text: string, depth: number, room: { values: number }): string {
  if (depth > 0 && text.length <= MAX_INNER_CHARACTERS && /^\s*[[{]/.test(text)) {
    try {
      return clean(JSON.stringify(thinned(JSON.parse(text), depth - 1, room)), MAX_TEXT);
    } catch {
      // The text only begins like JSON.
    }
  }
  return redactText(clean(text, MAX_TEXT));
}

/** Returns whether a text names a secret, as in `{"name": "password", "value": …}`. */
function isSecretLabel(label: unknown): boolean {
  return typeof label === 'string' && label.length <= 80 && isSecretName(label, []);
}

/**
 * Copies a value with limits on depth, width and number of values. Removes secrets, which it finds
 * by their names and by their look.
 */
function thinned(value: unknown, depth: number, room: { values: number }): unknown {
  if (room.values-- <= 0) return '…';
  if (typeof value === 'string') return thinnedText(value, depth, room);
  if (typeof value === 'number') {
    const text = String(value);
    const shown = redactText(text);
    return shown === text ? value : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) {
    if (value.length === 2 && isSecretLabel(value[0])) return [value[0], REDACTED];
    const items = value.slice(0, MAX_ITEMS).map((item) => thinned(item, depth - 1, room));
    const more = value.length - items.length;
    return more > 0 ? [...items, `… ${more} more`] : items;
  }
  const names = Object.keys(value);
  const isLabelled = LABEL_NAMES.some((name) =>
    isSecretLabel((value as Record<string, unknown>)[name]),
  );
  const members = names.slice(0, MAX_NAMES).map((name) => {
    const child = (value as Record<string, unknown>)[name];
    const shown =
      isSecretName(name, names.slice(0, 200)) || (isLabelled && VALUE_NAMES.includes(name))
        ? REDACTED
        : thinned(child, depth - 1, room);
    return [redactText(clean(name, 80)), shown] as const;
  });
  const more = names.length - members.length;
  return Object.fromEntries(more > 0 ? [...members, ['…', `${more} more`]] : members);
}
