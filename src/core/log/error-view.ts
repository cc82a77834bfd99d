import { oneLine } from './one-line.ts';

/** A thrown value as the log shows it. */
export interface ErrorView {
  name?: string;
  code?: string;
  message: string;
  stack?: string;
  cause?: ErrorView;
}

/** The largest number of nested causes that is shown. Causes can be cyclic. */
const MAX_CAUSES = 3;

export function viewError(error: unknown, depth = 0): ErrorView {
  if (!(error instanceof Error)) {
    return { message: typeof error === 'string' ? error : oneLine(error) };
  }
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  const hasCause = cause !== undefined && cause !== null && depth < MAX_CAUSES;
  return {
    name,
    ...(typeof code === 'string' && { code }),
    message,
    ...(stack !== undefined && { stack }),
    ...(hasCause && { cause: viewError(cause, depth + 1) }),
  };
}
