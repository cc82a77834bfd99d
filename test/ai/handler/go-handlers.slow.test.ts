import { describe } from 'vitest';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ability } from '../../fixtures/machine.ts';
import { describeHandlers } from './handler-conformance.ts';
import { ginServer, ginVersion } from './handler-servers.ts';

failOnLeaks();

const hasGin = ability('gin in the module cache of Go', ginVersion() !== null, false);

/* What Go's compiler makes of all handlers; the same cases for Node are in node-handlers.test.ts. */
describe.skipIf(!hasGin)('Go for gin', () => {
  describeHandlers('go', 'gin', ginServer);
});
