import type { Logger } from './runtime.ts';

/** A log that drops its lines, for commands whose output says everything. */
export const SILENT_LOG: Logger = { debug() {}, info() {}, warn() {}, error() {} };
