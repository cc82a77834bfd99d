import {
  fieldsOf,
  type HandlerPart,
  type HandlerScheme,
  prefixOf,
  timeHeaderOf,
} from '../handler-scheme.ts';
import { DESTINATION_SECRET, type HandlerPlan } from '../plan.ts';

export function ginVerification({ own, secretVariable }: HandlerPlan): string {
  const secret = `secretIn("${secretVariable}")`;
  if (!own) {
    return `
// isAuthentic reports whether the request has a valid Standard Webhooks signature
// within the tolerance.
func isAuthentic(header http.Header, body []byte) bool {
\treturn isSigned(header, body, ${secret})
}
${STANDARD}${RECENT}${COMMON}`;
  }
  const { scheme } = own;
  const { time } = scheme;
  const fields = fieldsOf(scheme);
  const timeHeader = timeHeaderOf(scheme);
  const given = `header.Get("${own.header}")`;
  const key = scheme.key === 'text' ? `[]byte(${secret})` : `keyIn("${secretVariable}")`;
  const isTimed = fields !== null && fields.time !== null;
  const lines = [
    ...(fields ? [...(isTimed ? ['var timestamp string'] : []), ...partsLoop(fields, given)] : []),
    ...(timeHeader ? [`timestamp := header.Get("${timeHeader}")`] : []),
    `mac := hmac.New(${scheme.hash}.New, ${key})`,
    ...scheme.signed.map((part) => `mac.Write(${partExpression(part)})`),
    `expected := ${prefixOf(scheme) && `"${prefixOf(scheme)}" + `}${ENCODERS[scheme.encoding]}(mac.Sum(nil))`,
    ...(fields
      ? []
      : [
          'tag' in scheme.form
            ? `signatures := strings.Split(${given}, " ")`
            : `signatures := []string{${given}}`,
        ]),
    'isTheirs := false',
    'for _, signature := range signatures {',
    `\tisTheirs = isSame(${scheme.encoding === 'hex' ? 'strings.ToLower(signature)' : 'signature'}, expected) || isTheirs`,
    '}',
    time
      ? `return isTheirs && (${time.unit === 's' ? 'isRecent' : 'isFresh'}(timestamp) || isDelivery(header, body))`
      : 'return isTheirs',
  ];
  return `
// isAuthentic reports whether ${own.provider} signed exactly these bytes${time ? ", and the\n// request isn't an attacker's copy" : ''}.
func isAuthentic(header http.Header, body []byte) bool {
${lines.map((line) => `\t${line}`).join('\n')}
}
${time && time.unit !== 's' ? FRESH[time.unit] : ''}${time ? delivery(own.provider) : COMMON}${scheme.key === 'text' ? '' : keyIn(scheme.key)}`;
}

const ENCODERS: Record<HandlerScheme['encoding'], string> = {
  hex: 'hex.EncodeToString',
  base64: 'base64.StdEncoding.EncodeToString',
  base64url: 'base64.RawURLEncoding.EncodeToString',
};

function partsLoop(
  { separator, signature, time }: NonNullable<ReturnType<typeof fieldsOf>>,
  given: string,
): string[] {
  return [
    'var signatures []string',
    `for _, part := range strings.Split(${given}, "${separator}") {`,
    '\tname, value, _ := strings.Cut(strings.TrimSpace(part), "=")',
    `\tif name == "${signature}" {`,
    '\t\tsignatures = append(signatures, value)',
    ...(time === null
      ? []
      : [`\t} else if name == "${time}" && timestamp == "" {`, '\t\ttimestamp = value']),
    '\t}',
    '}',
  ];
}

function partExpression(part: HandlerPart): string {
  if (part === 'body') return 'body';
  if (part === 'time') return '[]byte(timestamp)';
  return 'text' in part
    ? `[]byte("${part.text}")`
    : `[]byte(header.Get("${part.header.toLowerCase()}"))`;
}

function keyIn(key: HandlerScheme['key']): string {
  const decode = key === 'hex' ? 'hex.DecodeString' : 'base64.StdEncoding.DecodeString';
  const text =
    key === 'standard' ? 'strings.TrimPrefix(secretIn(variable), "whsec_")' : 'secretIn(variable)';
  return `
// keyIn returns the bytes that the secret stands for.
func keyIn(variable string) []byte {
\tkey, err := ${decode}(${text})
\tif err != nil || len(key) == 0 {
\t\tpanic(variable + " is not ${key === 'hex' ? 'hexadecimal' : 'base64'}")
\t}
\treturn key
}
`;
}

/** `isFresh` reads the sender's times if they aren't in seconds. */
const FRESH = {
  ms: `
func isFresh(timestamp string) bool {
\tms, err := strconv.ParseUint(timestamp, 10, 50)
\treturn err == nil && time.Since(time.UnixMilli(int64(ms))).Abs() <= tolerance
}
`,
  iso: `
func isFresh(timestamp string) bool {
\tat, err := time.Parse(time.RFC3339, timestamp)
\treturn err == nil && time.Since(at).Abs() <= tolerance
}
`,
  any: `
func isFresh(timestamp string) bool {
\tif at, err := http.ParseTime(timestamp); err == nil {
\t\treturn time.Since(at).Abs() <= tolerance
\t}
\treturn isRecent(timestamp)
}
`,
};

function delivery(sender: string): string {
  return `
// isDelivery reports whether hookrelay signed this attempt. ${sender} signs an event
// once, so retries and replays by hookrelay can exceed the tolerance. hookrelay signs each
// attempt: give the destination a secret, and put it into ${DESTINATION_SECRET} too.
func isDelivery(header http.Header, body []byte) bool {
\tsecret := os.Getenv("${DESTINATION_SECRET}")
\treturn secret != "" && isSigned(header, body, secret)
}
${STANDARD}${RECENT}${COMMON}`;
}

const STANDARD = `
func digest(key []byte, parts ...[]byte) []byte {
\tmac := hmac.New(sha256.New, key)
\tfor _, part := range parts {
\t\tmac.Write(part)
\t}
\treturn mac.Sum(nil)
}

// isSigned verifies a Standard Webhooks signature: the HMAC of id, timestamp and body.
func isSigned(header http.Header, body []byte, secret string) bool {
\tid, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
\tif id == "" || !isRecent(timestamp) {
\t\treturn false
\t}
\tkey := []byte(secret)
\tif encoded, found := strings.CutPrefix(secret, "whsec_"); found {
\t\tdecoded, err := base64.StdEncoding.DecodeString(encoded)
\t\tif err != nil || len(decoded) == 0 {
\t\t\tpanic("the webhook secret is not base64")
\t\t}
\t\tkey = decoded
\t}
\tsum := digest(key, []byte(id+"."+timestamp+"."), body)
\texpected := "v1," + base64.StdEncoding.EncodeToString(sum)
\tfor _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
\t\tif isSame(signature, expected) {
\t\t\treturn true
\t\t}
\t}
\treturn false
}
`;

const RECENT = `
func isRecent(timestamp string) bool {
\tseconds, err := strconv.ParseUint(timestamp, 10, 40)
\treturn err == nil && time.Since(time.Unix(int64(seconds), 0)).Abs() <= tolerance
}
`;

const COMMON = `
// isSame compares in constant time: the duration reveals nothing about the expected
// signature.
func isSame(given, expected string) bool {
\treturn hmac.Equal([]byte(given), []byte(expected))
}

// secretIn panics without the secret, and gin answers with 500. An empty key would
// let anyone sign.
func secretIn(variable string) string {
\tsecret := os.Getenv(variable)
\tif secret == "" {
\t\tpanic(variable + " is not set")
\t}
\treturn secret
}
`;
