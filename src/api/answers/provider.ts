/** A sender that an endpoint's source may name. */
export interface Provider {
  name: string;
  title: string;
  /** Whether a source may name it. */
  verifies: boolean;
  /** Whether deliveries can be signed as it signs. */
  signs: boolean;
  /** Members of a source that it takes. */
  fields: readonly string[];
  /** What it repeats when it sends a delivery again; null where it tells nothing. */
  dedupes_by: readonly string[] | null;
  /** Whether its check of the URL is answered. */
  handshake: boolean;
}
