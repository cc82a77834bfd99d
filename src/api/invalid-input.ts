import { type FieldError, HookrelayError } from '../core/errors.ts';

/** The error of an input with faults. Its message names the first. */
export function invalidInput(issues: FieldError[], hint?: string): HookrelayError {
  const [{ path, message }] = issues as [FieldError];
  return new HookrelayError('invalid_input', path ? `${path}: ${message}` : message, {
    issues,
    ...(hint !== undefined && { hint }),
  });
}

/** The error of an input with one fault. */
export function invalidField(path: string, message: string, hint?: string): HookrelayError {
  return invalidInput([{ path, message }], hint);
}
