import type { JsonIndex } from '../../../core/text/json-index.ts';

/** A line of the tree, as the actions on it need it. */
export interface LineOf {
  text: string;
  index: JsonIndex;
  node: number;
  /** Whether the text contains several documents. Rules then have no path into it. */
  isMany: boolean;
  /** Null if there is no list that the value could filter. */
  endpointId: string | null;
}
