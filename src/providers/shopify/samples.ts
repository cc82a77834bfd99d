import type { Fresh } from '../sampling/fresh.ts';
import type { Json, Sample, SampleContent } from '../sampling/sample.ts';
import { order } from './sample-order.ts';
import { shopify } from './shopify.ts';

const API_VERSION = '2026-07';
const SHOP = 'example-shop.myshopify.com';

export const shopifySamples: Sample[] = [
  sample('orders/create', 'a customer placed and paid an order', order),
  sample('products/update', 'a product was changed', product),
];

/** The headers: https://shopify.dev/docs/apps/build/webhooks/delivery-structure */
function sample(topic: string, description: string, payload: (fresh: Fresh) => Json): Sample {
  return {
    // A dot replaces the topic's slash, because shell completion would take the name for a path.
    name: `shopify.${topic.replace('/', '.')}`,
    provider: 'shopify',
    signature: shopify.signature,
    description,
    format: 'json',
    source: `https://shopify.dev/docs/api/webhooks?reference=toml#list-of-topics-${topic}`,
    build: (fresh): SampleContent => {
      const deliveryId = fresh.uuid();
      return {
        payload: payload(fresh),
        headers: [
          ['Accept', '*/*'],
          ['Content-Type', 'application/json'],
          ['User-Agent', 'Shopify-Captain-Hook'],
          ['X-Shopify-API-Version', API_VERSION],
          ['X-Shopify-Event-Id', fresh.uuid()],
          ['X-Shopify-Shop-Domain', SHOP],
          ['X-Shopify-Topic', topic],
          ['X-Shopify-Triggered-At', fresh.iso().replace('Z', `.${fresh.digits(9)}Z`)],
          ['X-Shopify-Webhook-Id', deliveryId],
        ],
        deliveryId,
      };
    },
  };
}

/** https://shopify.dev/docs/api/admin-rest/latest/resources/product */
function product(fresh: Fresh): Json {
  const id = fresh.number(13);
  const createdAt = '2025-11-04T10:20:30+00:00';
  const updatedAt = fresh.iso().replace('Z', '+00:00');
  const variant = (position: number, size: string, price: string, quantity: number) => {
    const variantId = fresh.number(14);
    return {
      admin_graphql_api_id: `gid://shopify/ProductVariant/${variantId}`,
      barcode: fresh.digits(13),
      compare_at_price: null,
      created_at: createdAt,
      id: variantId,
      inventory_policy: 'deny',
      position,
      price,
      product_id: id,
      sku: `TEE-${size}`,
      taxable: true,
      title: size,
      updated_at: updatedAt,
      option1: size,
      option2: null,
      option3: null,
      image_id: null,
      inventory_item_id: fresh.number(14),
      inventory_quantity: quantity,
      old_inventory_quantity: quantity,
    };
  };
  const variants = [variant(1, 'S', '24.95', 12), variant(2, 'M', '24.95', 3)];
  return {
    admin_graphql_api_id: `gid://shopify/Product/${id}`,
    body_html: '<p>A plain T-shirt of organic cotton.</p>',
    created_at: createdAt,
    handle: 'plain-t-shirt',
    id,
    product_type: 'Shirts',
    published_at: createdAt,
    template_suffix: null,
    title: 'Plain T-Shirt',
    updated_at: updatedAt,
    vendor: 'Example Shop',
    status: 'active',
    published_scope: 'global',
    tags: 'cotton, summer',
    variants,
    options: [
      { name: 'Size', id: fresh.number(14), product_id: id, position: 1, values: ['S', 'M'] },
    ],
    images: [],
    image: null,
    media: [],
    variant_gids: variants.map(({ admin_graphql_api_id, updated_at }) => ({
      admin_graphql_api_id,
      updated_at,
    })),
    has_variants_that_requires_components: false,
    category: null,
  };
}
