import type { HeaderPair } from '../../../src/core/model.ts';
import { type ANSWERS, PAGE } from './answer-table.ts';

const ROUTER: HeaderPair[] = [
  ['Server', 'Heroku'],
  ['Via', '1.1 heroku-router'],
];

/** What frameworks, languages, databases and hosts say, in the formats that they document. */
export const INNER_ANSWERS: typeof ANSWERS = [
  [
    'Laravel, validation',
    422,
    '{"message":"The order.total field is required. (and 1 more error)","errors":{"order.total":["The order.total field is required."],"customer.email":["The customer.email field must be a valid email address."]}}',
    {
      says: ['(422)', '"order.total" ("The order.total field is required.")', '"customer.email"'],
      suggests: ['Compare those members', 'hookrelay ai schema evt_1'],
      never: ['a field is missing, or has a wrong type'],
    },
  ],
  [
    'FastAPI, validation',
    422,
    '{"detail":[{"type":"missing","loc":["body","customer","email"],"msg":"Field required","input":{}},{"type":"int_parsing","loc":["body","items",0,"qty"],"msg":"Input should be a valid integer","input":"x"}]}',
    {
      says: ['"customer.email" ("Field required")', '"items[0].qty"'],
      suggests: ['hookrelay events get evt_1'],
    },
  ],
  [
    'FastAPI, a header',
    422,
    '{"detail":[{"type":"missing","loc":["header","x-tenant"],"msg":"Field required","input":null}]}',
    { says: ['"header.x-tenant"'], suggests: ['Compare that member'] },
  ],
  [
    'ASP.NET, problem details',
    400,
    '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.1","title":"One or more validation errors occurred.","status":400,"errors":{"$.amount":["The JSON value could not be converted to System.Int32. Path: $.amount | LineNumber: 0 | BytePositionInLine: 20."],"Customer":["The Customer field is required."]},"traceId":"00-1-2-00"}',
    { says: ['"amount" ("The JSON value could not be converted', '"Customer"'], suggests: [] },
  ],
  [
    'zod, issues',
    400,
    '{"success":false,"error":{"name":"ZodError","issues":[{"code":"invalid_type","expected":"number","path":["data","amount"],"message":"Expected number, received string"}]}}',
    { says: ['"data.amount" ("Expected number, received string")'], suggests: [] },
  ],
  [
    'express-validator',
    400,
    '{"errors":[{"type":"field","value":"x","msg":"Invalid value","path":"email","location":"body"}]}',
    { says: ['"email" ("Invalid value")'], suggests: [] },
  ],
  [
    'Go, encoding/json',
    400,
    'json: cannot unmarshal string into Go struct field Event.amount of type int\n',
    { says: ['"amount"', 'a JSON string, and the Go type is int'], suggests: [] },
  ],
  [
    'Go, a nested member, in JSON',
    500,
    '{"error":"json: cannot unmarshal number 1.5 into Go struct field Event.data.object.amount of type int64"}',
    { says: ['"data.object.amount"', 'a JSON number, and the Go type is int64'], suggests: [] },
  ],
  [
    'Go, the whole body',
    400,
    'json: cannot unmarshal array into Go value of type main.Event',
    { says: ['"the body"', 'the Go type is main.Event'], suggests: [] },
  ],
  [
    'PHP, an uncaught error',
    500,
    PAGE(
      '<b>Fatal error</b>:  Uncaught TypeError: Unsupported operand types: string + int in /var/www/html/webhook.php:42\nStack trace:\n#0 {main}\n  thrown in <b>/var/www/html/webhook.php</b> on line <b>42</b>',
    ),
    { says: ['threw an error at "/var/www/html/webhook.php:42"'], suggests: ['Look at that line'] },
  ],
  [
    'PHP, a warning',
    500,
    '<br />\n<b>Warning</b>:  Undefined array key "amount" in <b>/srv/app/hook.php</b> on line <b>12</b><br />\n',
    { says: ['"/srv/app/hook.php:12"'], suggests: [] },
  ],
  [
    'Laravel, an exception',
    500,
    '{"message":"Undefined array key \\"amount\\"","exception":"ErrorException","file":"\\/app\\/Http\\/Hook.php","line":31,"trace":[]}',
    { says: ['"/app/Http/Hook.php:31"'], suggests: [] },
  ],
  [
    'Python, a traceback',
    500,
    'Traceback (most recent call last):\n  File "/app/main.py", line 8, in receive\n    handle(event)\n  File "/app/orders.py", line 31, in handle\nKeyError: \'total\'\n',
    { says: ['"/app/orders.py:31"'], suggests: [] },
  ],
  [
    'Express, an error',
    500,
    PAGE(
      '<pre>TypeError: Cannot read properties of undefined (reading &#39;id&#39;)<br> &nbsp; &nbsp;at handle (/app/src/hook.js:17:22)<br> &nbsp; &nbsp;at Layer.handle (/app/node_modules/router/lib/layer.js:152:17)</pre>',
    ),
    { says: ['"/app/src/hook.js:17"'], suggests: [] },
  ],
  [
    "Django's APPEND_SLASH",
    500,
    PAGE(
      '<h1>RuntimeError at /hooks</h1><pre>You called this URL via POST, but the URL doesn&#x27;t end in a slash and you have APPEND_SLASH set. Django can&#x27;t redirect to the slash URL while maintaining POST data.</pre>',
    ),
    {
      says: ["Django's APPEND_SLASH wants a slash"],
      suggests: ["edit ep_1 dst_1 --new-url 'https://shop.example.com/hooks/'"],
      never: ['own code threw'],
    },
  ],
  [
    'MySQL, a duplicate',
    500,
    "SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry 'evt_77' for key 'events.event_id'",
    {
      says: ['a row of this key already', '"events.event_id"'],
      suggests: ['INSERT IGNORE', 'webhook-id'],
    },
  ],
  [
    'PostgreSQL, a duplicate',
    500,
    '{"error":"duplicate key value violates unique constraint \\"events_pkey\\"","detail":"Key (id)=(7) already exists."}',
    { says: ['a row of this key already', 'events_pkey'], suggests: ['ON CONFLICT DO NOTHING'] },
  ],
  [
    'PostgreSQL, too many clients',
    500,
    'FATAL:  sorry, too many clients already',
    {
      says: ['no more connections', 'PostgreSQL (max_connections)'],
      suggests: ['--concurrency 2', 'pooler'],
    },
  ],
  [
    'MySQL, too many connections',
    500,
    'ER_CON_COUNT_ERROR: Too many connections',
    { says: ['MySQL or MariaDB'], suggests: [] },
  ],
  [
    'an inner ECONNREFUSED',
    500,
    '{"error":"connect ECONNREFUSED 127.0.0.1:5432"}',
    {
      says: ['127.0.0.1 refuses connections on port 5432', 'usually PostgreSQL'],
      suggests: ["ss -ltn 'sport = :5432'"],
      never: ['own code threw'],
    },
  ],
  [
    'an inner refusal, of Go, at an unknown port',
    500,
    'dial tcp [::1]:4000: connect: connection refused',
    { says: ['refuses connections on port 4000'], suggests: [], never: ['usually'] },
  ],
  [
    'an inner refusal, of libpq',
    500,
    'connection to server at "db" (10.0.0.7), port 5432 failed: Connection refused\n\tIs the server running on that host?',
    { says: ['db refuses connections on port 5432'], suggests: [] },
  ],
  [
    'Heroku, its page',
    503,
    '<!DOCTYPE html><html><head><title>Application Error</title></head><body><iframe src="//www.herokucdn.com/error-pages/application-error.html"></iframe></body></html>',
    {
      headers: ROUTER,
      says: ["Heroku's router answered, not your app", 'H10: the app crashed'],
      suggests: ['heroku logs --tail', 'heroku ps'],
    },
  ],
  [
    'Heroku, with the code',
    503,
    'at=error code=H12 desc="Request timeout" method=POST path="/hooks"',
    { headers: ROUTER, says: ['(H12)', 'did not answer in 30 s'], suggests: [] },
  ],
  [
    "Vercel's payload limit",
    413,
    'Request Entity Too Large\n\nFUNCTION_PAYLOAD_TOO_LARGE\n\nfra1::x\n',
    {
      headers: [['x-vercel-error', 'FUNCTION_PAYLOAD_TOO_LARGE']],
      says: ['FUNCTION_PAYLOAD_TOO_LARGE, 413', '4.5 MB'],
      suggests: ['Send these events to a service that takes them'],
      never: ['client_max_body_size'],
    },
  ],
];
