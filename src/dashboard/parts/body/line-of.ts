import type { JsonIndex } from '../../../core/text/json-index.ts';

/** A line of the tree, for the actions on it. */
export interface LineOf {
  text: string;
  index: JsonIndex;
  node: number;
  /** Whether the text contains several documents. A rule has no path to a value in one of these. */
  isMany: boolean;
  /** Null if there is no list to filter by the value. */
  endpointId: string | null;
}
