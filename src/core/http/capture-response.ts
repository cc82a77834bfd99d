/** An endpoint's own answer, which replaces hookrelay's acknowledgement. */
export interface CaptureResponse {
  status: number;
  /** Null for none, where the body is empty. */
  content_type: string | null;
  body: string;
  /** Without those that hookrelay sets. */
  headers?: Readonly<Record<string, string>>;
}
