import type { JsonIndex } from '../../../core/text/json-index.ts';

/** A line of the tree, for what can be done with it. */
export interface LineOf {
  text: string;
  index: JsonIndex;
  node: number;
  /** The text is several documents: rules have no path into it. */
  isMany: boolean;
  /** Null where no list can be filtered. */
  endpointId: string | null;
}
