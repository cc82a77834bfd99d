import { standardVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [standardVector('webhook')] satisfies Vector[];
