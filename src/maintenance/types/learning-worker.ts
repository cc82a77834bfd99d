import { serveJobs } from '../../core/threads/serve-jobs.ts';
import type { LearningAnswer, LearningJob } from './learning-thread.ts';
import { LEARNING_WORK } from './learning-work.ts';

serveJobs<LearningJob, LearningAnswer>(({ job, request }) => LEARNING_WORK[job](request as never));
