import { describePrototypeNames, NAMES } from './prototype-names.ts';

describePrototypeNames({ names: NAMES.length });
