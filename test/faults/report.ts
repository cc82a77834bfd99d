/** Prints the figures of a run, one line of JSON each. */
export function report(what: string, figures: Record<string, unknown>): void {
  process.stdout.write(`figures ${JSON.stringify({ what, ...figures })}\n`);
}
