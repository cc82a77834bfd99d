import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { HeaderLine } from '../../text/header-line.ts';

type OwnAnswer = NonNullable<EndpointAnswer['response']>;

export type AnswerKind = 'usual' | 'text' | 'empty' | 'redirect';

/** The kinds of answer, in the order of the buttons. */
export const ANSWER_KINDS: readonly (readonly [kind: AnswerKind, name: string])[] = [
  ['usual', 'Usual answer'],
  ['text', 'Text'],
  ['empty', 'No content'],
  ['redirect', 'Redirect'],
];

/** An answer to senders, in the form of the fields. */
export interface AnswerForm {
  /** Whether the endpoint has its own answer. Otherwise hookrelay sends its usual answer. */
  isOwn: boolean;
  status: string;
  /** The content type; empty if there is none. */
  type: string;
  body: string;
  /** Whether a redirect keeps its existing body. A new redirect needs none. */
  isBodyKept: boolean;
  location: string;
  headers: readonly HeaderLine[];
}

const REDIRECTS = [301, 302, 303, 307, 308];
const BODILESS = [204, 205, 304];
const DEFAULT_TYPE = 'application/json';

export function answerFormOf(answer: EndpointAnswer['response']): AnswerForm {
  if (answer === null) {
    return {
      ...{ isOwn: false, status: '200', type: DEFAULT_TYPE },
      ...{ body: '', isBodyKept: false, location: '', headers: [] },
    };
  }
  const headers = Object.entries(answer.headers ?? {});
  const isLocation = ([name]: [string, string]) =>
    REDIRECTS.includes(answer.status) && name.toLowerCase() === 'location';
  return {
    isOwn: true,
    status: String(answer.status),
    type: answer.content_type ?? '',
    body: answer.body,
    isBodyKept: answer.body !== '',
    location: headers.find(isLocation)?.[1] ?? '',
    headers: headers
      .filter((header) => !isLocation(header))
      .map(([name, value], key) => ({ key, name, value })),
  };
}

export function kindOf({ isOwn, status }: AnswerForm): AnswerKind {
  if (!isOwn) return 'usual';
  if (BODILESS.includes(Number(status))) return 'empty';
  return REDIRECTS.includes(Number(status)) ? 'redirect' : 'text';
}

/** Returns the form with another kind of answer. Typed values stay for a return to their kind. */
export function withKind(form: AnswerForm, kind: AnswerKind): AnswerForm {
  if (kind === kindOf(form)) return form;
  if (kind === 'usual') return { ...form, isOwn: false };
  const status = { text: '200', empty: '204', redirect: '302' }[kind];
  const type = kind === 'text' && form.type === '' ? DEFAULT_TYPE : form.type;
  return { ...form, isOwn: true, isBodyKept: false, status, type };
}

/**
 * Returns whether the form shows a body field. A redirect shows it only if it already has a body.
 */
export function hasBody(form: AnswerForm): boolean {
  const kind = kindOf(form);
  return kind === 'text' || (kind === 'redirect' && form.isBodyKept);
}

/**
 * Returns the answer in the API's form, without parts that its status forbids. Returns null for the
 * usual answer.
 */
export function answerOf(form: AnswerForm): OwnAnswer | null {
  if (!form.isOwn) return null;
  const body = hasBody(form) ? form.body : '';
  const type = form.type.trim();
  return {
    status: Number(form.status),
    content_type: body === '' && (type === '' || !hasBody(form)) ? null : type,
    body,
    headers: Object.fromEntries(headersOf(form)),
  };
}

/**
 * Returns the header names that occur twice, in lower case. An object would keep only one of the
 * values.
 */
export function doubledNames(form: AnswerForm): string[] {
  if (!form.isOwn) return [];
  const names = headersOf(form).map(([name]) => name.toLowerCase());
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}

function headersOf(form: AnswerForm): [name: string, value: string][] {
  const rows = form.headers
    .map(({ name, value }): [string, string] => [name.trim(), value.trim()])
    .filter(([name, value]) => name !== '' || value !== '');
  const location = form.location.trim();
  if (kindOf(form) !== 'redirect' || location === '') return rows;
  return [['location', location], ...rows];
}
