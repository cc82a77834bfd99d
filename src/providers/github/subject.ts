import type { PayloadReader } from '../describing/payload-reader.ts';

/**
 * The subject of an event. Paths lead into the payload. The first path that leads to a text counts.
 */
export interface Subject {
  /** The kind of the subject, with the article. */
  noun: string;
  number?: string;
  /** Paths of its name. */
  name?: readonly string[];
  /** Paths of its title, shown in quotation marks. */
  title?: readonly string[];
  /** Paths of a user's text, shown in quotation marks at the end. */
  words?: readonly string[];
  /** The verb of an event without an action. */
  did?: string;
  /** More to know, as another sentence. */
  more?(facts: PayloadReader): string;
}
