import { describe, expect, test } from 'vitest';
import { unknownVariables } from '../../src/config/unknown-variables.ts';

describe('variables that nothing reads', () => {
  test.each([
    ['HOOKRELAY_RETENTON', 'HOOKRELAY_RETENTION'],
    ['HOOKRELAY_PUBLIC_ULR', 'HOOKRELAY_PUBLIC_URL'],
    ['HOOKRELAY_SECRET', 'HOOKRELAY_SECRET_KEY'],
    ['HOOKRELAY_FAST_PATH', 'HOOKRELAY_NO_FAST_PATH'],
    ['hookrelay_port', 'HOOKRELAY_PORT'],
    ['HOOKRELAY_QQQQQQ', null],
  ])('%s is named with %s', (name, nearest) => {
    expect(unknownVariables({ [name]: 'x' })).toEqual([{ name, nearest }]);
  });

  test('settings, the variables of clients and those of service links are none', () => {
    const names = ['PORT', 'TLS_CERT', 'SECRET_KEY', 'URL', 'TOKEN', 'PROFILE', 'LISTEN_SECRET'];
    const links = ['SERVICE_HOST', 'SERVICE_PORT', 'PORT_8484_TCP', 'PORT_8484_TCP_ADDR'];
    const env = [...names, ...links].map((name) => [`HOOKRELAY_${name}`, 'x']);
    expect(unknownVariables({ ...Object.fromEntries(env), PATH: '/bin' })).toEqual([]);
  });
});
