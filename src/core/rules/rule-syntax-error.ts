/** A rule that can't be read. */
export class RuleSyntaxError extends Error {
  override readonly name = 'RuleSyntaxError';
  /** The place of the fault in the text, in UTF-16 units from 0. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(`column ${at + 1}: ${message}`);
    this.at = at;
  }
}
