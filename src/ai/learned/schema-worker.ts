import { readStoredShape } from '../../core/shapes/stored-shape.ts';
import { serveJobs } from '../../core/threads/serve-jobs.ts';
import { learnedSchema } from './learned-schema.ts';
import type { SchemaRequest } from './schema-writer.ts';

/** The worker thread that writes schemas. The largest shapes take about 100 ms. */
serveJobs<SchemaRequest, string | null>(({ provider, type, shape: stored, format }) => {
  const shape = readStoredShape(stored);
  return shape ? learnedSchema({ provider, type, shape }, format) : null;
});
