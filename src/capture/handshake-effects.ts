import type { Logger } from '../core/runtime/runtime.ts';
import type { HandshakeEffects } from './handshake.ts';

export interface HandshakeDuties {
  /** Requests the URL. Rejects unless the answer is 2xx. */
  confirm(url: string): Promise<void>;
  /** Stores the secret of an endpoint's source. Rejects if the source has a different secret. */
  keepSecret(publicToken: string, secret: string, eventId: string): Promise<void>;
  log: Logger;
}

/** Returns the effects of handshakes. They log failures. */
export function handshakeEffects({ confirm, keepSecret, log }: HandshakeDuties): HandshakeEffects {
  return {
    async run(publicToken, effect, eventId) {
      try {
        if (effect.kind === 'confirm') await confirm(effect.url);
        else await keepSecret(publicToken, effect.secret, eventId);
        return true;
      } catch (error) {
        log.warn('a provider’s check of a capture URL could not be completed', {
          kind: effect.kind,
          error,
        });
        return false;
      }
    },
  };
}
