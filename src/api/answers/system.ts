/** What the server says of itself. Times are ISO 8601 in UTC. */
export interface System {
  version: string;
  node_version: string;
  store: 'SQLite' | 'PostgreSQL';
  /** When this process began to serve. */
  started_at: string;
  /** The disk of the data directory; null with PostgreSQL, which keeps its own. */
  disk: { free_bytes: number; total_bytes: number } | null;
  database_bytes: number;
  index: {
    /** Events that the search index lacks. Searches read these. */
    behind: number;
  };
  checks: SystemCheck[];
}

export interface SystemCheck {
  name: string;
  /** `fail`: something doesn't work. `warn`: that may happen later. */
  state: 'ok' | 'warn' | 'fail';
  text: string;
  /** The next step; null where there is none. */
  hint: string | null;
}
