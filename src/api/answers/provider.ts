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
  /** What a person should know of that check; null where there is none. */
  hint: string | null;
  /** Its term for the secret, with an article; null where it needs none of its own. */
  secret: string | null;
  /** How such a secret begins; null where that tells nothing. */
  secret_prefix: string | null;
}
