import { storeConformance, storeTries } from './conformance.ts';
import { openInTempDatabase } from './postgres/temp-store.ts';

storeConformance('PostgreSQL', openInTempDatabase);
storeTries('PostgreSQL', openInTempDatabase);
