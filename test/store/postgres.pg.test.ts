import { storeConformance } from './conformance.ts';
import { openInTempDatabase } from './postgres/temp-store.ts';

storeConformance('PostgreSQL', openInTempDatabase);
