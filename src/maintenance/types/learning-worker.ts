import { serveJobs } from '../../core/threads/serve-jobs.ts';
import type { LearningAnswer, LearningRequest } from './learning-thread.ts';
import { accept, forgotten, merge, needed, read } from './learning-work.ts';

/** The thread that learns types: parsing and merging never burden the server's thread. */
serveJobs<LearningRequest, LearningAnswer>((request) => {
  switch (request.job) {
    case 'read':
      return read(request);
    case 'merge':
      return merge(request);
    case 'accept':
      return accept(request);
    case 'needed':
      return needed(request);
    case 'forget':
      return forgotten(request);
  }
});
