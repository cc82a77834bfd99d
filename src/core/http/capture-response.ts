/** An endpoint's own answer instead of hookrelay's acknowledgement. */
export interface CaptureResponse {
  status: number;
  /** Null for an answer without a content type. The body is then empty. */
  content_type: string | null;
  body: string;
  /** Headers in addition to hookrelay's own. */
  headers?: Readonly<Record<string, string>>;
}
