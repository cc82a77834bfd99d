import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import type { StoppedSearchAnswer } from '../../api/events/stopped-search-answer.ts';

export interface FieldErrorAnswer {
  path: string;
  message: string;
}

/** An error answer of the API, or the reason why no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 if no answer came. */
  readonly status: number;
  readonly code: string;
  readonly hint: string | null;
  readonly issues: readonly FieldErrorAnswer[];
  /** The matches that a search had found when the server stopped it. */
  readonly found: StoppedSearchAnswer<EventSummaryAnswer> | null;

  constructor(
    status: number,
    code: string,
    message: string,
    hint: string | null = null,
    issues: readonly FieldErrorAnswer[] = [],
    found: StoppedSearchAnswer<EventSummaryAnswer> | null = null,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.issues = issues;
    this.found = found;
  }
}

/** The body of an error answer. It may come from a proxy. */
interface ErrorBody {
  error?: { code?: string; message?: string; hint?: string; issues?: FieldErrorAnswer[] };
}

export async function errorOf(answer: Response): Promise<ApiError> {
  const { error, ...beside } = (await answer.json().catch(() => ({}))) as
    | ErrorBody
    | (ErrorBody & StoppedSearchAnswer<EventSummaryAnswer>);
  const {
    code = 'unknown',
    message = `the server answered ${answer.status}`,
    hint,
    issues,
  } = error ?? {};
  const found = 'cursor' in beside ? beside : null;
  return new ApiError(answer.status, code, message, hint ?? null, issues, found);
}

export function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', 'the server does not answer');
}

/** Converts any thrown value into an error that the page can show. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, 'unknown', error instanceof Error ? error.message : String(error));
}

/**
 * Returns whether an issue is about one of the fields or a part of a field: `retry.1` is a part of
 * `retry`.
 */
export const isAbout = ({ path }: FieldErrorAnswer, fields: readonly string[]): boolean =>
  fields.some((field) => path === field || path.startsWith(`${field}.`));

/** Returns the error without the issues of `fields`. Returns null if no issue is left. */
export function withoutIssues(error: ApiError, fields: readonly string[]): ApiError | null {
  const { status, code, message, hint } = error;
  const issues = error.issues.filter((issue) => !isAbout(issue, fields));
  if (issues.length === error.issues.length) return error;
  return issues.length === 0 ? null : new ApiError(status, code, message, hint, issues);
}
