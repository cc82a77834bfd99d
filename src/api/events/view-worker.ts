import { memoryOf } from '../../core/runtime/free-memory.ts';
import { serveJobs } from '../../core/threads/serve-jobs.ts';
import { type Detail, type DetailHead, detailText, headView } from './detail-view.ts';

export interface ViewJob {
  detail: Detail;
  /** Whether to leave out the body. */
  isHead: boolean;
}

/** The head as an object, or the whole request as UTF-8 text. */
export type WrittenView = DetailHead | Uint8Array;

serveJobs(
  ({ detail, isHead }: ViewJob): WrittenView => {
    const { body, ...content } = detail.content;
    // A Buffer arrives from another thread as a plain Uint8Array.
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const whole = { ...detail, content: { ...content, body: bytes } };
    return isHead ? headView(whole) : detailText(whole);
  },
  (view) => {
    const memory = view instanceof Uint8Array ? memoryOf(view) : null;
    return memory ? [memory] : [];
  },
);
