/** Code that a receiver can use to verify a signed delivery (Standard Webhooks). */
export const RECIPES: { name: string; text: string }[] = [
  {
    name: 'Node',
    text: `import { Webhook } from 'standardwebhooks'; // npm i standardwebhooks

// SECRET as set here: "whsec_…" as it is; any other text as
// new Webhook(Buffer.from(SECRET).toString('base64')).
const payload = new Webhook(SECRET).verify(rawBody, {
  'webhook-id': req.headers['webhook-id'],
  'webhook-timestamp': req.headers['webhook-timestamp'],
  'webhook-signature': req.headers['webhook-signature'],
});`,
  },
  {
    name: 'Python',
    text: `import base64, hashlib, hmac

def is_genuine(secret: str, headers, body: bytes) -> bool:
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    signed = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split())`,
  },
  {
    name: 'Go',
    text: `func isGenuine(key []byte, h http.Header, body []byte) bool {
	mac := hmac.New(sha256.New, key) // the base64 after "whsec_" decoded, or the secret's bytes
	fmt.Fprintf(mac, "%s.%s.%s", h.Get("webhook-id"), h.Get("webhook-timestamp"), body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Fields(h.Get("webhook-signature")) {
		if hmac.Equal([]byte(expected), []byte(one)) {
			return true
		}
	}
	return false
}`,
  },
];
