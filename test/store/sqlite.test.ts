import { storeConformance } from './conformance.ts';
import { openThreadInTempDir } from './sqlite/temp-store.ts';

// The store runs in its thread, as in the server. Tests of SQLite alone are in `sqlite/`.
storeConformance('SQLite', openThreadInTempDir);
