/** The faults that a check of a source against past events can find. */
export const SOURCE_HINTS = [
  'secret_blanks',
  'secret_quotes',
  'secret_prefix',
  'secret_encoding',
  'secret_unused',
  'secret_of_test_mode',
  'secret_of_live_mode',
  'url_mismatch',
  'body_reserialized',
  'clock_off',
] as const;
