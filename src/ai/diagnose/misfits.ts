import { clean, quoted } from '../../core/text/words.ts';
import type { Answered, Finding } from './rule.ts';
import { bodyStep, debugStep, resendStep } from './steps.ts';

/** A member of the request that a service refuses. */
interface Misfit {
  member: string;
  why: string;
}

/** At most this many members are named. */
const MAX_NAMED = 4;
const MAX_NAME = 80;
const MAX_WHY = 120;
/** The members of an answer that have its validation errors. */
const LISTS = ['detail', 'errors', 'issues', 'violations'] as const;
/** The members by which an item of a list names the place: FastAPI, zod, express-validator, ajv … */
const PLACES = ['loc', 'path', 'field', 'param', 'property', 'instancePath', 'pointer'] as const;
const REASONS = ['msg', 'message', 'detail', 'reason', 'title'] as const;
/** The first part of FastAPI's `loc`, and the JSON path's root of ASP.NET. */
const BODY_ROOT = /^(?:body|\$)\.?(?=.)/;

/** https://pkg.go.dev/encoding/json#UnmarshalTypeError */
const GO_MISMATCH =
  /json: cannot unmarshal (\w+)(?: [\w.+-]+)? into Go (?:struct field ([\w.[\]-]+)|value) of type ([\w.[\]*{} ]{1,60})/;

/** Returns the finding if the answer names members of the request that don't fit. */
export function misfitFinding(answer: Answered): Finding | null {
  if (answer.status < 400) return null;
  const misfits = misfitsIn(answer);
  if (misfits.length === 0) return null;
  const named = misfits
    .slice(0, MAX_NAMED)
    .map(({ member, why }) => `${quoted(member, MAX_NAME)} (${quoted(why, MAX_WHY)})`);
  const more = misfits.length - named.length;
  return {
    isLasting: true,
    cause: `The service could read the request but does not accept its content (${answer.status}): it objects to ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    steps: [
      ({ event }) =>
        `Compare ${misfits.length === 1 ? 'that member' : 'those members'} with what was sent: hookrelay events get ${event.id}`,
      ({ event }) =>
        `If the sender is right, correct the type in the service; what it sends: hookrelay ai schema ${event.id}`,
      resendStep,
      debugStep,
      bodyStep,
    ],
    replay: null,
  };
}

function misfitsIn({ attempt, text }: Answered): Misfit[] {
  const [, got, field, wants] = GO_MISMATCH.exec(text) ?? [];
  if (got && wants) {
    // The first part is the name of the Go type, as in `Event.amount`.
    const member = field?.replace(/^[^.]*\./, '') ?? 'the body';
    return [{ member, why: `a JSON ${got}, and the Go type is ${wants.trim()}` }];
  }
  const body = objectIn(attempt.responseBody ?? '');
  if (!body) return [];
  for (const name of LISTS) {
    const found = listed(body[name]);
    if (found.length > 0) return found;
  }
  return isRecord(body.error) ? listed(body.error.issues ?? body.error.details) : [];
}

/** Reads a list of errors, or lists of messages by the members' names (Laravel, ASP.NET, Rails). */
function listed(errors: unknown): Misfit[] {
  if (Array.isArray(errors)) return errors.flatMap(itemMisfit);
  if (!isRecord(errors)) return [];
  return Object.entries(errors).flatMap(([name, messages]) => {
    const first: unknown = Array.isArray(messages) ? messages[0] : null;
    return typeof first === 'string'
      ? [{ member: memberName(name), why: clean(first, MAX_WHY) }]
      : [];
  });
}

function itemMisfit(item: unknown): Misfit[] {
  if (!isRecord(item)) return [];
  const place = PLACES.map((name) => item[name]).find((value) => value !== undefined);
  const why = REASONS.map((name) => item[name]).find((value) => typeof value === 'string');
  const path = Array.isArray(place) ? pathText(place) : place;
  if (typeof path !== 'string' || path === '' || typeof why !== 'string') return [];
  return [{ member: memberName(path), why: clean(why, MAX_WHY) }];
}

/** Returns FastAPI's `["body", "items", 0, "id"]` as `body.items[0].id`. */
function pathText(parts: readonly unknown[]): string {
  return parts
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

function memberName(path: string): string {
  const name = path.replace(/^\/+/, '').replaceAll('/', '.').replace(BODY_ROOT, '');
  return clean(name, MAX_NAME) || 'the body';
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
