import type { JsonIndex } from '../../../core/text/json-index.ts';

/** A line of the tree, for the actions on it. */
export interface LineOf {
  text: string;
  index: JsonIndex;
  node: number;
  /** The text is several documents, so rules have no path into it. */
  isMany: boolean;
  /** Null if no list can be filtered. */
  endpointId: string | null;
}
