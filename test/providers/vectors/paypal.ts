import { generateKeyPairSync, sign } from 'node:crypto';
import { certificateOf } from '../../fixtures/certificate.ts';
import type { Vector } from '../vector.ts';

/* https://developer.paypal.com/api/rest/webhooks/rest/#self-verification-method */

const { privateKey: KEY } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const CERTIFICATE = {
  url: 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77',
  text: certificateOf({
    commonName: 'messageverificationcerts.paypal.com',
    key: KEY,
    validFrom: Date.parse('2020-01-01'),
    validTo: Date.parse('2040-01-01'),
  }),
};
const TRANSMISSION = 'dfb3be50-fd74-11e4-8bf3-77339302725b';

export default [
  {
    secret: '4JH86294D6297924G',
    // That of mock events.
    otherSecret: 'WEBHOOK_ID',
    header: 'paypal-transmission-sig',
    headers: [['paypal-auth-version', 'v2']],
    body: '{"id":"WH-1","summary":"Größe"}',
    grade: 'authenticated',
    coversBody: true,
    isVerifiedOnly: true,
    sign({ at }, secret) {
      const time = new Date(at).toISOString();
      // The CRC-32 of the body by Python's zlib.
      const signed = `${TRANSMISSION}|${time}|${secret}|1498210490`;
      return {
        key: CERTIFICATE,
        headers: [
          ['paypal-transmission-id', TRANSMISSION],
          ['paypal-transmission-time', time],
          ['paypal-cert-url', CERTIFICATE.url],
          ['paypal-auth-algo', 'SHA256withRSA'],
          ['paypal-transmission-sig', sign('sha256', Buffer.from(signed), KEY).toString('base64')],
        ],
      };
    },
  },
] satisfies Vector[];
