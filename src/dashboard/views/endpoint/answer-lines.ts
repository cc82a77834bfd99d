import { type AnswerForm, answerOf, hasBody } from './answer-form.ts';
import { statusLine } from './status-line.ts';

/** The headers of every answer of a capture URL. A test compares them with the server's. */
const FIXED = [
  'access-control-allow-origin: *',
  'access-control-allow-methods: *',
  'access-control-allow-headers: *',
  'access-control-expose-headers: x-hookrelay-event-id',
  'x-content-type-options: nosniff',
  'content-security-policy: sandbox',
  'cache-control: no-store',
];
const EVENT_ID = 'evt_…';
const encoder = new TextEncoder();

export interface AnswerPreview {
  /** The status line, and the headers that belong to this answer and its body. */
  own: string[];
  /** The headers that every answer has. */
  fixed: string[];
  /** Null if there is no body. */
  body: string | null;
}

/** Returns the sender's answer, without its date and the headers of the connection. */
export function answerPreview(form: AnswerForm): AnswerPreview {
  const answer = answerOf(form) ?? {
    status: 200,
    content_type: 'application/json',
    body: `{"received":true,"event_id":"${EVENT_ID}"}`,
    headers: {},
  };
  const { status, content_type, body, headers = {} } = answer;
  const isUsual = !form.isOwn;
  return {
    own: [
      statusLine(status),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...contentLines(status, content_type, isUsual ? null : body),
    ],
    fixed: [...FIXED, `x-hookrelay-event-id: ${EVENT_ID}`],
    body: body === '' || !(isUsual || hasBody(form)) ? null : body,
  };
}

/** @param body null if its length depends on the event */
function contentLines(status: number, type: string | null, body: string | null): string[] {
  if (status === 204 || status === 304) return [];
  if (status === 205) return ['content-length: 0'];
  return [
    ...(type === null ? [] : [`content-type: ${type}`]),
    `content-length: ${body === null ? '…' : encoder.encode(body).length}`,
  ];
}
