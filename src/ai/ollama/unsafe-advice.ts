const SECRET =
  '(?:secrets?|(?:api|signing|private|access|secret|licen[sc]e) keys?|keys?|passwords?|passphrases?|passcodes?|tokens?|credentials?|pins?|one-time codes?|otp|cvc|card numbers?)';
const PROTECTION =
  '(?:verif\\w+|validat\\w+|signatures?(?: checks?| checking)?|hmac|authenticat\\w+|authoriz\\w+|tls|ssl|https|certificates?|csrf|encryption|firewalls?|protections?|security|2fa|mfa)';

/** Between a verb and its object, in one sentence. */
const WITHIN = '\\b[^.!?;]{0,60}\\b';

/** What a model that a stranger's text talked into it would advise. */
const ADVICE = [
  // Turning a protection off.
  `\\b(?:disabl\\w+|deactivat\\w+|turn\\w* off|switch\\w* off|skip\\w*|bypass\\w*|circumvent\\w*|remov\\w+|ignor\\w+|omit\\w*|comment\\w* out|weaken\\w*|loosen\\w*)${WITHIN}${PROTECTION}\\b`,
  `\\b(?:turn|switch|put|leave)\\w*${WITHIN}${PROTECTION}\\b[^.!?;]{0,30}\\boff\\b`,
  `\\b${PROTECTION}\\b[^.!?;]{0,40}\\b(?:(?:should|must|can|may|could|needs? to|has to) be (?:off|disabled|skipped|bypassed|removed|ignored)|(?:is|are) (?:not needed|unnecessary|optional))\\b`,
  `\\b(?:do not|don't|never|stop|no need to|needn't|without) (?:verify|verifying|validate|validating|check|checking|authenticat\\w+)\\b`,
  '\\b(?:increas\\w+|rais\\w+|widen\\w*|enlarg\\w+|extend\\w*|larger|longer|bigger)\\b[^.!?;]{0,40}\\btolerance\\b',
  'verify ?= ?false|rejectunauthorized|insecureskipverify|node_tls_reject_unauthorized',
  // Handing a secret over.
  `\\b(?:shar\\w+|send\\w*|e-?mail\\w*|post\\w*|past\\w+|giv\\w+|tell\\w*|forward\\w*|reveal\\w*|disclos\\w+|provid\\w+|submit\\w*|upload\\w*|publish\\w*|hand\\w*|reply|respond|repeat\\w*|expos\\w+)${WITHIN}${SECRET}\\b`,
  // Entering one.
  `\\b(?:enter\\w*|typ(?:e|ing)|input\\w*|fill\\w*|re-?enter\\w*|confirm\\w*|verify\\w*|log ?in|sign ?in|logging in|signing in|authenticate)${WITHIN}${SECRET}\\b`,
].map((pattern) => new RegExp(pattern, 'i'));

/** HTML, entities, and Markdown's links and images, which hide where they lead. */
const MARKUP = /<[a-z/!?][^<>]{0,500}>|&(?:#x?[\da-f]{1,6}|[a-z]{2,8});|!?\[[^\]]{0,200}\]\s?[([]/i;

/**
 * Returns true if words advise turning a protection off, giving a secret away, or entering a
 * password. Facts never do so, hence a stranger's text does.
 *
 * @param text on one line
 */
export function isUnsafeAdvice(text: string): boolean {
  return ADVICE.some((pattern) => pattern.test(text));
}

export function hasMarkup(text: string): boolean {
  return MARKUP.test(text);
}
