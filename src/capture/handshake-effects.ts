import type { Logger } from '../core/runtime/runtime.ts';
import type { HandshakeEffects } from './handshake.ts';

export interface HandshakeDuties {
  /** Asks for the URL. Rejects where it can't, or isn't answered 2xx. */
  confirm(url: string): Promise<void>;
  /** Keeps the secret of an endpoint's source. Rejects where the source has another by now. */
  keepSecret(publicToken: string, secret: string, eventId: string): Promise<void>;
  log: Logger;
}

/** The effects of handshakes, of which none rejects: the log says what failed. */
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
