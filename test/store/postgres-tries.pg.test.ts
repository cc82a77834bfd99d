import { storeTries } from './conformance.ts';
import { openInTempDatabase } from './postgres/temp-store.ts';

// A file of its own, so that another worker process runs it.
storeTries('PostgreSQL', openInTempDatabase);
