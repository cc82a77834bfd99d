import type { Facts } from '../describing/facts.ts';

/** The subject of an event. Paths lead into the payload, and the first with a text counts. */
export interface Subject {
  /** Its kind, with the article. */
  noun: string;
  number?: string;
  /** Its name, as it is. */
  name?: readonly string[];
  /** Its title, in quotation marks. */
  title?: readonly string[];
  /** A text by a user, in quotation marks at the end. */
  words?: readonly string[];
  /** The verb of an event without an action. */
  did?: string;
  /** More to know, as another sentence. */
  more?(facts: Facts): string;
}
