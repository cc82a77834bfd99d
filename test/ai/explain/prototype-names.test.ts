import { describePrototypeNames } from './prototype-names.ts';

// Fields take turns with the names; prototype-names.slow.test.ts gives each field all.
describePrototypeNames({ names: 1 });
