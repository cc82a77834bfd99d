/** An endpoint's own answer, which replaces hookrelay's acknowledgement. */
export interface CaptureResponse {
  status: number;
  /** Null for an answer without a content type. The body is then empty. */
  content_type: string | null;
  body: string;
  /** The headers that the endpoint adds to those that hookrelay sets. */
  headers?: Readonly<Record<string, string>>;
}
