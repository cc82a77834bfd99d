import { failOnLeaks } from '../fixtures/leaks.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { describeInputs } from './openapi-inputs.ts';

failOnLeaks();
describeInputs(serverOfFile({ defaultPlan: 'pro', ai: 'builtin' }), { shares: 1 });
