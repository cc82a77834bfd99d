/** What `GET /api/system` answers. */
export interface SystemAnswer {
  version: string;
  node_version: string;
  /** The store: `SQLite 3.51.0`, `PostgreSQL 17.2`. */
  store: string;
  started_at: string;
  disk: { free_bytes: number; total_bytes: number } | null;
  queue: { waiting: number; oldest_at: string | null };
  index: { behind: number; complete: boolean };
  backup: { last_at: string } | null;
  checks: SystemCheck[];
}

export interface SystemCheck {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  text: string;
  /** What to do; null where there is nothing to do. */
  hint: string | null;
}
