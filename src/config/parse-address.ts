import { isIP } from 'node:net';
import { expected } from './parse.ts';

export function host(value: string): string {
  const bare = value.trim().replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) || (!/^[\d.]+$/.test(bare) && /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(bare)))
    return bare;
  throw expected('an IP address or a host name, without a port');
}

export function httpUrl(value: string): string {
  const url = parseUrl(value);
  if (!url || url.search || url.hash) throw expected('a URL such as http://127.0.0.1:11434');
  return url.href.replace(/\/+$/, '');
}

export function origin(value: string): string {
  const url = parseUrl(value);
  if (url?.pathname !== '/' || url.search || url.hash) {
    throw expected('an http or https URL without a path, such as https://hooks.example.com');
  }
  return url.origin;
}

function parseUrl(value: string): URL | null {
  const url = URL.parse(value.trim());
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp && !url.username && !url.password ? url : null;
}

export function addressBlocks(value: string): string[] {
  return value.split(/[\s,]+/).map((block) => {
    const [address = '', bits, ...rest] = block.split('/');
    // A zone id passes isIP, but net.BlockList refuses it.
    const family = address.includes('%') ? 0 : isIP(address);
    const bitsFit =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    if (family && bitsFit && rest.length === 0) return block;
    throw expected('IP addresses or CIDR blocks, such as 10.0.0.0/8,::1');
  });
}
