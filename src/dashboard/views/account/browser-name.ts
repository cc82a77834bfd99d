/** The longest unknown user agent that is shown in full, characters. */
const MAX_UNKNOWN = 60;

/** Returns the short form of a user agent: `Firefox/128.0, Linux`. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown client';
  const known = /(Firefox|Edg|Chrome|Safari|hookrelay|curl)\/[\d.]+/.exec(
    userAgent.replace(/Safari(?=.*Chrome)|Chrome(?=.*Edg)/, ''),
  );
  const system = /Windows|Mac OS X|Android|iPhone|iPad|Linux/.exec(userAgent);
  return [known?.[0] ?? userAgent.slice(0, MAX_UNKNOWN), system?.[0]].filter(Boolean).join(', ');
}
