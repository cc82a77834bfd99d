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
  const { encoding, prefix, time } = own.scheme;
  const encode = encoding === 'hex' ? 'hex.EncodeToString' : 'base64.StdEncoding.EncodeToString';
  if (!time) {
    return `
// isAuthentic reports whether ${own.provider} signed exactly these bytes.
func isAuthentic(header http.Header, body []byte) bool {
\texpected := ${prefix && `"${prefix}" + `}${encode}(digest([]byte(${secret}), body))
\treturn isSame(header.Get("${own.header}"), expected)
}
${COMMON}`;
  }
  const isTheirs = `is${own.word}s`;
  const before = time.before && `"${time.before}"+`;
  const sum = `digest([]byte(${secret}), []byte(${before}timestamp+"${time.after}"), body)`;
  const { place } = time;
  const check =
    'timeField' in place
      ? `\tvar timestamp string
\tvar signatures []string
\tfor _, part := range strings.Split(header.Get("${own.header}"), ",") {
\t\tname, value, _ := strings.Cut(strings.TrimSpace(part), "=")
\t\tif name == "${place.timeField}" && timestamp == "" {
\t\t\ttimestamp = value
\t\t} else if name == "${place.signatureField}" {
\t\t\tsignatures = append(signatures, value)
\t\t}
\t}
\texpected := ${prefix && `"${prefix}" + `}${encode}(${sum})
\t${isTheirs} := false
\tfor _, signature := range signatures {
\t\t${isTheirs} = isSame(signature, expected) || ${isTheirs}
\t}`
      : `\ttimestamp := header.Get("${place.header.toLowerCase()}")
\tsum := ${sum}
\t${isTheirs} := isSame(header.Get("${own.header}"), ${prefix && `"${prefix}"+`}${encode}(sum))`;
  return `
// isAuthentic reports whether ${own.provider} signed exactly these bytes, and the
// request isn't an attacker's copy.
func isAuthentic(header http.Header, body []byte) bool {
${check}
\treturn ${isTheirs} && (isRecent(timestamp) || isDelivery(header, body))
}
${delivery(own.provider)}`;
}

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
func digest(key []byte, parts ...[]byte) []byte {
\tmac := hmac.New(sha256.New, key)
\tfor _, part := range parts {
\t\tmac.Write(part)
\t}
\treturn mac.Sum(nil)
}

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
