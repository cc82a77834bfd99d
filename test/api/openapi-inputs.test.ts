import { failOnLeaks } from '../fixtures/leaks.ts';
import { serverOfFile } from '../fixtures/running-server.ts';
import { describeInputs } from './openapi-inputs.ts';

// openapi-inputs.slow.test.ts gives each field all values.
failOnLeaks();
describeInputs(serverOfFile({ defaultPlan: 'pro', ai: 'builtin' }), { shares: 10 });
