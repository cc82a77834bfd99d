import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** In the form of certificates: `20200101000000Z`. */
interface Validity {
  from: string;
  to: string;
}

export interface Authority {
  cert: Buffer;
  /** Path of its certificate, for NODE_EXTRA_CA_CERTS. */
  certFile: string;
  /** A certificate for `name`, valid now by default. */
  issue(name: string, validity?: Validity): { key: Buffer; cert: Buffer };
}

const NOW: Validity = { from: '20200101000000Z', to: '20991231235959Z' };
const NEW_KEY = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/**
 * Every current version of `openssl ca` takes dates, unlike other commands. It
 * needs the files of a whole authority.
 */
const OFFICE = `
[ca]
default_ca = own
[own]
database = issued
rand_serial = yes
new_certs_dir = .
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
`;

/** An unknown certificate authority, whose files live as long as the test. */
export function authority(): Authority {
  const cwd = mkdtempSync(path.join(tmpdir(), 'hookrelay-authority-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'ignore' });
  const read = (file: string) => readFileSync(path.join(cwd, file));
  writeFileSync(path.join(cwd, 'office.cnf'), OFFICE);
  writeFileSync(path.join(cwd, 'issued'), '');
  const own = ['-subj', '/CN=authority', '-days', '2', '-keyout', 'ca.key', '-out', 'ca.pem'];
  openssl('req', '-x509', ...NEW_KEY, ...own);
  return {
    cert: read('ca.pem'),
    certFile: path.join(cwd, 'ca.pem'),
    issue(name, { from, to } = NOW) {
      const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
      openssl('req', '-new', ...NEW_KEY, ...subject, '-keyout', 'its.key', '-out', 'its.csr');
      const dates = ['-startdate', from, '-enddate', to];
      const files = ['-cert', 'ca.pem', '-keyfile', 'ca.key', '-in', 'its.csr', '-out', 'its.pem'];
      openssl('ca', '-batch', '-notext', '-config', 'office.cnf', ...dates, ...files);
      return { key: read('its.key'), cert: read('its.pem') };
    },
  };
}
