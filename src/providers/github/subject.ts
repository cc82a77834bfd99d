import type { PayloadReader } from '../describing/payload-reader.ts';

/** The subject of an event. Paths lead into the payload. The first path to a text counts. */
export interface Subject {
  /** The kind of the subject, with the article. */
  noun: string;
  number?: string;
  /** Paths of the subject's name. */
  name?: readonly string[];
  /** Paths of the subject's title, shown in quotation marks. */
  title?: readonly string[];
  /** Paths of a user's text, shown in quotation marks at the end. */
  words?: readonly string[];
  /** The verb of an event without an action. */
  did?: string;
  /** Returns another sentence with more facts. */
  more?(facts: PayloadReader): string;
}
