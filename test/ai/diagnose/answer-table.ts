import type { HeaderPair } from '../../../src/core/model.ts';

export interface Expected {
  says: string[];
  suggests: string[];
  /** Texts that stand in this order in the suggestion. */
  ordered?: string[];
  /** Text of a wrong diagnosis. */
  never?: string[];
  provider?: string;
  /** The event has the signature of `provider`. The source verified it, or nothing did. */
  signature?: 'verified' | 'unverified';
  signAs?: boolean;
  isSigned?: boolean;
  headers?: HeaderPair[];
  url?: string;
  /** Minutes after the event. */
  after?: number;
}

export const PAGE = (text: string) =>
  `<!DOCTYPE html><html><head><title>x</title></head><body>${text}</body></html>`;
const CLOUDFLARE: HeaderPair[] = [
  ['Server', 'cloudflare'],
  ['CF-RAY', '8f1c2d3e4f5a6b7c-FRA'],
];

/** The texts come from the libraries and hosts themselves. */
export const ANSWERS: [name: string, status: number, body: string, expected: Expected][] = [
  [
    "Stripe's library, signature",
    400,
    'Webhook Error: No signatures found matching the expected signature for payload. Are you passing the raw request body you received from Stripe?',
    {
      provider: 'stripe',
      isSigned: true,
      says: ["checks the sender's signature (Stripe-Signature of Stripe)", 'passes the body and'],
      suggests: ['signing secret of the webhook endpoint in Stripe', 'raw body'],
      never: ["must be this destination's", 'could not parse the body'],
    },
  ],
  [
    "Stripe's library on an event of another sender",
    400,
    'Webhook Error: Unable to extract timestamp and signatures from header',
    { provider: 'github', says: ['looks like one of GitHub'], suggests: ['in Stripe'] },
  ],
  [
    "Stripe's library, time, on a retry",
    400,
    'Webhook Error: Timestamp outside the tolerance zone',
    {
      provider: 'stripe',
      after: 12,
      says: ["Stripe's own signature", 'late by design', '12 min after the event'],
      suggests: [
        'hookrelay endpoints edit ep_1 --source stripe',
        '--generate-secret',
        'webhook-id',
      ],
      never: ['259200', 'older signatures', '--sign-as provider:'],
    },
  ],
  [
    "Stripe's library, time, at once",
    400,
    'Timestamp outside the tolerance zone',
    {
      says: ['the clock of the service is wrong'],
      suggests: ['hookrelay deliveries retry dlv_1'],
      never: ['late by design'],
    },
  ],
  [
    "Linear's library, the time in the body",
    400,
    'Invalid webhook timestamp',
    {
      provider: 'linear',
      after: 12,
      says: ['time in the body (webhookTimestamp)', 'even with a new signature'],
      suggests: ['webhook-signature', 'webhook-id'],
      never: ['another secret', 'signature alone'],
    },
  ],
  [
    "Pusher's signature, which may be its time",
    401,
    'invalid signature',
    {
      provider: 'pusher',
      says: ['another secret', 'time in the body (time_ms)'],
      suggests: ['raw body'],
    },
  ],
  [
    "Stripe's library, parsed body",
    400,
    'Webhook payload must be provided as a string or a Buffer (https://nodejs.org/api/buffer.html) instance representing the _raw_ request body.',
    { provider: 'stripe', says: ['parses the body before'], suggests: ['express.raw'] },
  ],
  [
    "Standard Webhooks' library, time, of hookrelay's own signature",
    400,
    '{"error":"Message timestamp too old"}',
    {
      isSigned: true,
      after: 30,
      says: ['signs each attempt with the present time', 'clocks is wrong'],
      suggests: ['date -u'],
      never: ['late by design'],
    },
  ],
  [
    "Svix' library, time, of the sender's signature",
    400,
    'Message timestamp too old',
    {
      provider: 'svix',
      after: 30,
      says: ["Svix's own signature", 'late by design'],
      suggests: ['--source svix', '--generate-secret'],
      never: ['accept older'],
    },
  ],
  [
    "Standard Webhooks' library, signature",
    401,
    'No matching signature found',
    {
      isSigned: true,
      says: ['the service has another secret'],
      suggests: ['whsec_', 'hookrelay destinations rotate-secret ep_1 dst_1'],
    },
  ],
  [
    "Standard Webhooks' library without a secret here",
    401,
    'Missing required headers',
    { says: ["checks the sender's signature"], suggests: ['--generate-secret'] },
  ],
  [
    "GitHub's, with an entity",
    500,
    PAGE('X-Hub-Signature-256 didn&#39;t match'),
    {
      provider: 'github',
      says: ['X-Hub-Signature-256 of GitHub', `"x X-Hub-Signature-256 didn't match"`],
      suggests: ['settings of the repository'],
      never: ['&#39;', 'own code threw'],
    },
  ],
  [
    "GitHub's, with a JSON escape",
    401,
    '{"message":"X-Hub-Signature-256 didn\\u0027t match"}',
    {
      provider: 'github',
      isSigned: true,
      says: ['of GitHub', "didn't match"],
      suggests: ['settings of the repository'],
    },
  ],
  [
    "Octokit's",
    400,
    'Error: [@octokit/webhooks] signature does not match event payload and secret',
    { provider: 'github', says: ['of GitHub'], suggests: ['raw body'] },
  ],
  [
    "Slack's",
    401,
    '{"error":"invalid_signature"}',
    { says: ['X-Slack-Signature of Slack'], suggests: ["app's signing secret"] },
  ],
  [
    "Shopify's",
    401,
    'Invalid HMAC',
    { provider: 'shopify', says: ['X-Shopify-Hmac-Sha256'], suggests: ["app's client secret"] },
  ],
  [
    "Twilio's",
    403,
    'Twilio Request Validation Failed.',
    {
      provider: 'twilio',
      says: ['covers the URL that Twilio called'],
      suggests: ['against the capture URL'],
    },
  ],
  [
    'a signature, where hookrelay signs',
    401,
    'invalid signature',
    {
      isSigned: true,
      says: ["hookrelay signs this destination's deliveries"],
      suggests: ["this destination's secret"],
    },
  ],
  [
    'a signature, where nobody signs',
    403,
    '{"error":"Signature verification failed"}',
    { says: ['has no signing secret'], suggests: ['--generate-secret'] },
  ],
  [
    'ngrok, gone',
    404,
    'The endpoint abc.ngrok-free.app is offline.\r\n\r\nERR_NGROK_3200\r\n',
    {
      headers: [['Ngrok-Error-Code', 'ERR_NGROK_3200']],
      url: 'https://abc.ngrok-free.app/hook',
      says: ['ngrok answered, not your service (ERR_NGROK_3200', 'tunnel is gone'],
      suggests: ['hookrelay listen 3000 --endpoint ep_1'],
      never: ['nothing at that path'],
    },
  ],
  [
    'ngrok without a service',
    502,
    PAGE('ERR_NGROK_8012'),
    { says: ['tunnel is up'], suggests: ['Start the service'] },
  ],
  [
    'Cloudflare Tunnel, gone',
    530,
    'error code: 1033',
    {
      headers: CLOUDFLARE,
      says: ['no cloudflared is connected', 'tunnel is gone'],
      suggests: ['hookrelay listen 3000 --endpoint ep_1'],
    },
  ],
  [
    "Cloudflare, the origin's name",
    530,
    'error code: 1016',
    {
      headers: CLOUDFLARE,
      says: ['530, error 1016', 'could not find the origin'],
      suggests: ["Cloudflare's DNS"],
    },
  ],
  [
    'Cloudflare, the origin is down',
    521,
    'error code: 521',
    {
      headers: CLOUDFLARE,
      says: ['8f1c2d3e4f5a6b7c-FRA', 'refused the connection'],
      suggests: ['origin'],
    },
  ],
  [
    "Cloudflare's protection",
    403,
    PAGE('Just a moment... Enable JavaScript and cookies to continue'),
    {
      headers: [...CLOUDFLARE, ['cf-mitigated', 'challenge']],
      says: ["Cloudflare's protection stopped", 'cf-ray 8f1c2d3e4f5a6b7c-FRA'],
      suggests: ['Security, Events'],
    },
  ],
  [
    'Vercel, no deployment',
    404,
    'The deployment could not be found on Vercel.\n\nDEPLOYMENT_NOT_FOUND\n\nfra1::x\n',
    {
      headers: [['X-Vercel-Error', 'DEPLOYMENT_NOT_FOUND']],
      says: ['Vercel answered, not your service (DEPLOYMENT_NOT_FOUND)'],
      suggests: ['production domain'],
      never: ["route isn't deployed"],
    },
  ],
  [
    'Vercel, no such path',
    404,
    'The page could not be found\n\nNOT_FOUND\n\nfra1::x\n',
    {
      headers: [['X-Vercel-Error', 'NOT_FOUND']],
      says: ['nothing at that path'],
      suggests: ['If it is wrong'],
      never: ['deleted, renamed'],
    },
  ],
  [
    'Vercel, slow function',
    504,
    'An error occurred with your deployment\n\nFUNCTION_INVOCATION_TIMEOUT\n\nfra1::x\n',
    {
      headers: [['x-vercel-error', 'FUNCTION_INVOCATION_TIMEOUT']],
      says: ['Vercel ended the function'],
      suggests: ['maxDuration'],
    },
  ],
  [
    'Vercel Authentication',
    401,
    PAGE('<h1>Authentication Required</h1><p>Vercel Authentication</p>'),
    {
      headers: [
        ['Server', 'Vercel'],
        ['Set-Cookie', '_vercel_sso_nonce=x; Path=/'],
      ],
      says: ['Vercel Authentication protects this deployment'],
      suggests: ['Protection Bypass for Automation', 'x-vercel-protection-bypass'],
      never: ['does not verify'],
    },
  ],
  [
    'Heroku, no app',
    404,
    PAGE('No such app'),
    {
      headers: [['Server', 'Cowboy']],
      says: ['no running app of that name'],
      suggests: ['hookrelay destinations edit ep_1 dst_1 --new-url'],
    },
  ],
  [
    'API Gateway, no route',
    403,
    '{"message":"Missing Authentication Token"}',
    {
      headers: [['x-amzn-ErrorType', 'MissingAuthenticationTokenException']],
      says: ['path or method that it does not have'],
      suggests: ['it needs the stage'],
      never: ['wants credentials'],
    },
  ],
  [
    'a load balancer of AWS',
    503,
    PAGE('<center><h1>503 Service Temporarily Unavailable</h1></center>'),
    {
      headers: [['Server', 'awselb/2.0']],
      says: ['no healthy target'],
      suggests: ['health checks'],
    },
  ],
  [
    'http: to a TLS port, nginx',
    400,
    PAGE(
      '<center>The plain HTTP request was sent to HTTPS port</center><hr><center>nginx</center>',
    ),
    {
      url: 'http://shop.example.com:8443/hooks',
      says: ['Port 8443 speaks TLS'],
      suggests: [
        "hookrelay destinations edit ep_1 dst_1 --new-url 'https://shop.example.com:8443/hooks'",
      ],
    },
  ],
  [
    'http: to a TLS port, Go',
    400,
    'Client sent an HTTP request to an HTTPS server.\n',
    {
      url: 'http://shop.example.com:443/',
      says: ['speaks TLS'],
      suggests: ["'https://shop.example.com:443/'"],
    },
  ],
  [
    'a bearer token',
    401,
    '{"message":"Missing bearer token"}',
    {
      says: ['wants credentials (401, Bearer)'],
      suggests: ["exempt the webhook's route"],
      never: ['does not verify'],
    },
  ],
  [
    'basic authentication, by its header alone',
    401,
    '',
    {
      headers: [['WWW-Authenticate', 'Basic realm="staging"']],
      says: ['(401, Basic)'],
      suggests: ['--header-file headers.txt'],
    },
  ],
  [
    "Django's CSRF",
    403,
    PAGE('<h1>Forbidden <span>(403)</span></h1><p>CSRF verification failed. Request aborted.</p>'),
    {
      says: ['wants a CSRF token (403)'],
      suggests: ['@csrf_exempt'],
      never: ['bot protection in front'],
    },
  ],
  [
    "Rails' CSRF",
    422,
    'ActionController::InvalidAuthenticityToken',
    { says: ['CSRF token'], suggests: ['skip_before_action'] },
  ],
  [
    "Laravel's CSRF",
    419,
    PAGE('Page Expired'),
    { says: ['CSRF token (419)'], suggests: ['validateCsrfTokens'] },
  ],
  [
    "Django's DisallowedHost",
    400,
    PAGE(
      '<h1>DisallowedHost at /hooks</h1><pre>Invalid HTTP_HOST header: &#x27;shop.example.com&#x27;. You may need to add it to ALLOWED_HOSTS.</pre>',
    ),
    {
      says: ['does not know the name shop.example.com', "'shop.example.com'"],
      suggests: ['ALLOWED_HOSTS'],
    },
  ],
  [
    "Rails' hosts",
    403,
    'Blocked hosts: shop.example.com',
    { says: ['does not know the name'], suggests: ['config.hosts'] },
  ],
  [
    'no JSON',
    400,
    PAGE(
      '<pre>SyntaxError: Unexpected token &quot;p&quot;, &quot;payload=%7&quot;... is not valid JSON</pre>',
    ),
    {
      says: ['could not parse the body as JSON (400)', 'text/csv'],
      suggests: ['hookrelay events get evt_1'],
    },
  ],
  [
    'a redirect to https:',
    301,
    '',
    {
      url: 'http://shop.example.com/hooks',
      headers: [['Location', 'https://shop.example.com/hooks']],
      says: ['"https://shop.example.com/hooks"', 'never follows', 'https: instead of http:'],
      suggests: [
        "Take the URL that it leads to: hookrelay destinations edit ep_1 dst_1 --new-url 'https://shop.example.com/hooks'",
      ],
    },
  ],
  [
    'a redirect to a slash',
    308,
    '',
    {
      headers: [['location', '/hooks/']],
      says: ['a slash at the end'],
      suggests: [
        "hookrelay destinations edit ep_1 dst_1 --new-url 'https://shop.example.com/hooks/'",
      ],
      never: ['moved'],
    },
  ],
  [
    'a redirect to www',
    301,
    '',
    {
      isSigned: true,
      headers: [['Location', 'https://www.shop.example.com/hooks']],
      says: ['the name www.shop.example.com instead of shop.example.com'],
      suggests: ["--new-url 'https://www.shop.example.com/hooks'"],
    },
  ],
  [
    'a redirect to a login',
    302,
    '',
    {
      headers: [['Location', '/users/sign_in']],
      says: ['login page'],
      suggests: ['Exempt'],
      never: ['--new-url'],
    },
  ],
  [
    'a redirect to Cloudflare Access',
    302,
    '',
    {
      headers: [['Location', 'https://acme.cloudflareaccess.com/cdn-cgi/access/login/shop']],
      says: ['login page'],
      suggests: ['Exempt'],
    },
  ],
  [
    'a redirect somewhere else, with a shell in it',
    302,
    '',
    {
      headers: [['Location', "https://evil.example/x'$(id)"]],
      says: ['evil.example'],
      suggests: [
        "If that place is yours: hookrelay destinations edit ep_1 dst_1 --new-url 'https://evil.example/x'\\''$(id)'",
      ],
    },
  ],
];
