/** A fault in one field of an input. */
export interface FieldError {
  /** Dotted path of the field, such as `response.status`. */
  path: string;
  message: string;
}

/** Stable error codes of the API. Only `ingress/error-response.ts` maps them to HTTP statuses. */
export type ApiErrorCode =
  | 'invalid_input'
  | 'invalid_json'
  | 'invalid_target'
  | 'unsupported_framework'
  | 'missing_token'
  | 'invalid_token'
  | 'token_expired'
  | 'invalid_credentials'
  | 'plan_required'
  | 'session_required'
  | 'scope_required'
  | 'registration_closed'
  | 'setup_link_invalid'
  | 'cross_origin'
  | 'host_not_allowed'
  | 'not_found'
  | 'endpoint_not_found'
  | 'endpoint_inactive'
  | 'endpoint_paused'
  | 'signature_invalid'
  | 'key_unavailable'
  | 'handshake_failed'
  | 'not_verified'
  | 'rejected_not_found'
  | 'destination_not_found'
  | 'destination_paused'
  | 'destination_disabled'
  | 'headers_required'
  | 'url_not_allowed'
  | 'delivery_not_found'
  | 'delivery_settled'
  | 'attempt_not_found'
  | 'rule_version_not_found'
  | 'replay_not_found'
  | 'issue_not_found'
  | 'channel_not_found'
  | 'type_not_found'
  | 'schema_not_found'
  | 'channel_unconfirmed'
  | 'smtp_not_configured'
  | 'event_not_found'
  | 'session_not_found'
  | 'token_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'email_taken'
  | 'limit_reached'
  | 'payload_too_large'
  | 'rate_limited'
  | 'busy'
  | 'not_implemented'
  | 'ai_unavailable'
  | 'overloaded'
  | 'search_too_long'
  | 'storage_full'
  | 'storage_unavailable'
  | 'schema_newer'
  | 'not_ready'
  | 'internal';

/** Stable error codes that only the command line and the operator see. */
type LocalErrorCode =
  | 'server_unreachable'
  | 'not_logged_in'
  | 'api_error'
  | 'config_invalid'
  | 'data_dir_unusable'
  | 'data_dir_locked'
  | 'database_missing'
  | 'database_unusable'
  | 'secret_mismatch'
  | 'address_in_use'
  | 'tunnel_failed';

export type ErrorCode = ApiErrorCode | LocalErrorCode;

export interface ErrorDetails {
  /** The next thing to do, for the person who reads the error. */
  hint?: string;
  issues?: FieldError[];
  /** Seconds until a retry makes sense. */
  retryAfterS?: number;
  /** For `method_not_allowed`: the allowed methods, `GET, POST`. */
  allow?: string;
  /** Members that the answer has next to `error`. */
  beside?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** hookrelay's one error type. It is safe to show, and `code` identifies it. */
export class HookrelayError extends Error {
  override readonly name = 'HookrelayError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly issues: FieldError[] | undefined;
  readonly retryAfterS: number | undefined;
  readonly allow: string | undefined;
  readonly beside: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.issues = details.issues;
    this.retryAfterS = details.retryAfterS;
    this.allow = details.allow;
    this.beside = details.beside;
  }
}
