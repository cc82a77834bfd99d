import { storeConformance } from './conformance.ts';
import { openThreadInTempDir } from './sqlite/temp-store.ts';

// In its thread, as the server has it; what only SQLite has is tested beside it.
storeConformance('SQLite', openThreadInTempDir);
