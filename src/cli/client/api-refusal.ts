import * as v from 'valibot';
import { type ErrorCode, type FieldError, HookrelayError } from '../../core/errors.ts';
import { hasCode } from '../command-error.ts';

const errorSchema = v.object({
  error: v.object({
    code: v.string(),
    message: v.string(),
    hint: v.optional(v.string()),
    issues: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
    request_id: v.optional(v.string()),
  }),
});

/** Returns the error for a redirect, which isn't followed. */
export function redirected(url: string, status: number, location: string | null): HookrelayError {
  if (location === null) return notHookrelay(`${url} answered ${status}`);
  const origin = URL.parse(location, url)?.origin ?? location;
  return new HookrelayError('api_error', `${url} redirects to ${origin}`, {
    hint: `try --url ${origin}`,
  });
}

/** The code is `api_error` if another program answered. */
export function refusal(url: string, status: number, data: Buffer): HookrelayError {
  const answer = data.toString('utf8');
  const { code, message, hint, issues, request_id } = apiErrorIn(answer);
  if (message === undefined) return notHookrelay(`${url} answered ${status}`);
  // Only internal errors have an id. The server logs the cause with the same id.
  const text = request_id ? `${message} (${request_id})` : message;
  return new HookrelayError((code ?? 'api_error') as ErrorCode, withIssues(text, issues), {
    ...(hint && { hint }),
    ...(issues && { issues }),
    beside: besideError(answer),
  });
}

/** Returns whether the access token has expired, or its session has ended. */
export function isTokenRefused(error: unknown): error is HookrelayError {
  return hasCode(error, 'token_expired', 'invalid_token');
}

export function notHookrelay(message: string, cause?: unknown): HookrelayError {
  return new HookrelayError('api_error', message, {
    hint: 'is that a hookrelay server? name another with --url or HOOKRELAY_URL',
    cause,
  });
}

/** Appends all issues except the first, which the message already contains. */
function withIssues(message: string, issues: FieldError[] = []): string {
  const others = issues
    .slice(1)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return [message, ...others].join('; ');
}

function besideError(text: string): Record<string, unknown> {
  const { error: _, ...beside } = JSON.parse(text) as Record<string, unknown>;
  return beside;
}

type ApiErrorBody = Partial<v.InferOutput<typeof errorSchema>['error']>;

/** Returns the API's error in a text, or an empty object for any other text. */
export function apiErrorIn(text: string): ApiErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    const parsed = v.safeParse(errorSchema, body);
    return parsed.success ? parsed.output.error : {};
  } catch {
    return {};
  }
}
