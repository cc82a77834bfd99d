import { storeConformance } from './conformance.ts';
import { openInTempDir } from './sqlite/temp-store.ts';

storeConformance('SQLite', openInTempDir);
