import { describe, expect, test } from 'vitest';
import { explainBind } from '../../src/ingress/server.ts';

const refused = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

describe('an address that the system refuses', () => {
  test('a port below 1024 names the capability that it needs', () => {
    expect(explainBind(refused('EACCES'), '0.0.0.0', 443)).toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('CAP_NET_BIND_SERVICE'),
      hint: expect.stringContaining('AmbientCapabilities=CAP_NET_BIND_SERVICE'),
    });
  });

  test.each([
    ['EACCES', 8484, 'config_invalid'],
    ['EADDRNOTAVAIL', 443, 'config_invalid'],
    ['EADDRINUSE', 443, 'address_in_use'],
  ])('%s on port %i does not name it', (code, port, expected) => {
    const error = explainBind(refused(code), '0.0.0.0', port);
    expect(error.code).toBe(expected);
    expect(error.message).not.toContain('CAP_NET');
  });
});
