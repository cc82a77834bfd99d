import type { Provider } from '../provider.ts';
import { mercadoPagoProof } from './verify.ts';

export const mercadoPago = {
  name: 'mercado-pago',
  title: 'Mercado Pago',
  shapes: [
    (o) =>
      o('api_version') && o('live_mode') !== undefined && o('data', 'id')
        ? (o('action') ?? o('type'))
        : undefined,
  ],
  proof: mercadoPagoProof,
} satisfies Provider;
