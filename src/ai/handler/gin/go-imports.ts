/** Import paths by the package name in the code, in gofmt's order. */
const PACKAGES: Record<string, string> = {
  bytes: 'bytes',
  hmac: 'crypto/hmac',
  sha1: 'crypto/sha1',
  sha256: 'crypto/sha256',
  sha512: 'crypto/sha512',
  base64: 'encoding/base64',
  hex: 'encoding/hex',
  json: 'encoding/json',
  errors: 'errors',
  fmt: 'fmt',
  io: 'io',
  log: 'log',
  http: 'net/http',
  httptest: 'net/http/httptest',
  url: 'net/url',
  os: 'os',
  slices: 'slices',
  strconv: 'strconv',
  strings: 'strings',
  sync: 'sync',
  testing: 'testing',
  time: 'time',
};

/** Literals and comments. They may contain the sender's text, which may look like code. */
const NOT_CODE = /`[^`]*`|"(?:[^"\\\n]|\\.)*"|\/\/.*/g;

/**
 * Returns the imports of a file with gin. They are only those that the code uses, because the
 * compiler refuses others.
 */
export function goImports(code: string): string {
  const bare = code.replaceAll(NOT_CODE, '""');
  const used = Object.entries(PACKAGES)
    .filter(([name]) => new RegExp(`(?<![\\w.])${name}\\.[A-Z]`).test(bare))
    .map(([, path]) => `\t"${path}"`);
  return `import (\n${used.join('\n')}\n\n\t"github.com/gin-gonic/gin"\n)`;
}
