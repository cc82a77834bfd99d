/** An endpoint's own answer, which replaces hookrelay's acknowledgement. */
export interface CaptureResponse {
  status: number;
  /** Null for none: the body is empty then. */
  content_type: string | null;
  body: string;
  /** Besides those that hookrelay sets; absent without any. */
  headers?: Readonly<Record<string, string>>;
}
