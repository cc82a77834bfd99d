import type { Logger } from './runtime.ts';

/** A log that drops its lines, for commands that report by their output. */
export const SILENT_LOG: Logger = { debug() {}, info() {}, warn() {}, error() {} };
