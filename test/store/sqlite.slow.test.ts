import { storeTries } from './conformance.ts';
import { openThreadInTempDir } from './sqlite/temp-store.ts';

storeTries('SQLite', openThreadInTempDir);
