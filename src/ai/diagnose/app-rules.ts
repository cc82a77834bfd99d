import { clean } from '../../core/text/words.ts';
import type { AnswerRule } from './rule.ts';
import { bodyStep, debugStep, headerStep, httpsStep, moveStep } from './steps.ts';

/** Rejections by frameworks and servers before the handler runs. The first match counts. */
export const APP_RULES: AnswerRule[] = [
  {
    when: ({ text }) =>
      /plain http request was sent to https? port|speaking plain http to an ssl-enabled|client sent an http request to an https server|http request (was )?sent to (an )?https/i.test(
        text,
      ),
    isLasting: true,
    cause: ({ port, url }) =>
      `Port ${port} speaks TLS, and the destination's URL begins with http: (${clean(url, 120)}).`,
    steps: [httpsStep('Use https:')],
  },
  {
    when: ({ status, text }) =>
      status === 419 ||
      (status >= 400 &&
        /csrf|xsrf|invalid ?authenticity ?token|can't verify (the )?authenticity/i.test(text)),
    isLasting: true,
    cause: ({ status }) =>
      `The service wants a CSRF token (${status}): a protection of its forms, and no webhook can have one. The handler never saw the event.`,
    steps: [
      "Exempt the webhook's route alone: @csrf_exempt in Django, skip_before_action :verify_authenticity_token in Rails, validateCsrfTokens(except: […]) in Laravel.",
      'The signature takes its place: check it in the handler.',
    ],
  },
  {
    when: ({ status, text }) =>
      status >= 400 &&
      /disallowedhost|invalid http_host header|blocked hosts?:|invalid host header|host .{0,100}is not allowed/i.test(
        text,
      ),
    isLasting: true,
    cause: ({ host }) =>
      `The framework does not know the name ${clean(host, 100)}: it answers only to hosts on its list (Django's DisallowedHost and the like). The handler never saw the event.`,
    steps: [
      ({ host }) =>
        `Add ${clean(host, 100)} to the list: ALLOWED_HOSTS in Django, config.hosts in Rails, server.allowedHosts in Vite.`,
    ],
  },
  {
    when: ({ status, text, header }) =>
      (status === 401 || status === 403) &&
      (/^(bearer|basic|digest|dpop)\b/i.test(header('www-authenticate')) ||
        /bearer token|no authorization token|authorization header|authentication credentials were not provided|missing (access |auth |api )?(token|key)|no (access |auth |api )?(token|key) (was )?(provided|found)|jwt (must be provided|malformed|expired)|(api key|token) is (missing|required)|missing api ?key/i.test(
          text,
        )),
    isLasting: true,
    cause: ({ status, header }) => {
      const scheme = /^\w+/.exec(header('www-authenticate'))?.[0] ?? 'Bearer';
      return `The service wants credentials (${status}, ${clean(scheme, 20)}): a token, a key or a password in a header. hookrelay sends the sender's headers, the destination's own and, with a secret, a signature.`;
    },
    steps: [
      headerStep,
      "Or exempt the webhook's route from the login, and check a signature there instead.",
      moveStep('Where the service takes a key in the URL', "'https://…?key=SECRET'"),
      bodyStep,
    ],
  },
  {
    when: ({ status, text }) =>
      status >= 400 &&
      /unexpected token .{0,60}json|is not valid json|json ?decode ?error|malformed json|invalid json|json parse error|failed to parse json|could not parse json/i.test(
        text,
      ),
    isLasting: true,
    cause: ({ status, event: { contentType } }) =>
      `The service could not parse the body as JSON (${status}). The event came as ${contentType ? clean(contentType, 80) : 'no content type at all'}, and hookrelay passes it on byte for byte.`,
    steps: [
      ({ event }) => `See what was sent: hookrelay events get ${event.id}`,
      'Parse the type that comes, or set JSON where the sender is configured.',
      debugStep,
    ],
    replay: null,
  },
];
