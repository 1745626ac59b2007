import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatures } from '../../deliveries/src/signature.js';
import { verifyWebhook, WebhookVerificationError, type ReceivedWebhook } from './webhook.js';

const NOW = 1_795_478_400;
const BODY = JSON.stringify({
  specversion: '1.0',
  id: 'm',
  type: 'x',
  data: { label: 'Größe 한' },
});
const SECRET = newWebhookSecret();

const HEADERS = {
  'webhook-id': 'm',
  'webhook-timestamp': String(NOW),
  'webhook-signature': signatures([SECRET], 'm', NOW, BODY),
};

function received(changes: Partial<ReceivedWebhook> = {}): ReceivedWebhook {
  return { headers: HEADERS, body: BODY, secret: SECRET, nowMs: NOW * 1_000, ...changes };
}

test('what the service signs is right, as a text or as bytes', async () => {
  const event = JSON.parse(BODY) as unknown;
  expect(await verifyWebhook(received())).toEqual(event);
  expect(await verifyWebhook(received({ body: new TextEncoder().encode(BODY) }))).toEqual(event);
  expect(await verifyWebhook(received({ headers: new Headers(HEADERS) }))).toEqual(event);
});

test('what the reference library signs is right', async () => {
  const signature = new Webhook(SECRET).sign('m', new Date(NOW * 1_000), BODY);
  const headers = { ...HEADERS, 'webhook-signature': signature };
  expect(await verifyWebhook(received({ headers }))).toMatchObject({ id: 'm' });
});

test('while a secret is replaced either of two is enough', async () => {
  const next = newWebhookSecret();
  const headers = { ...HEADERS, 'webhook-signature': signatures([next, SECRET], 'm', NOW, BODY) };
  expect(await verifyWebhook(received({ headers }))).toMatchObject({ id: 'm' });
  expect(await verifyWebhook(received({ secret: [next, SECRET] }))).toMatchObject({ id: 'm' });
});

test.each<[string, Partial<ReceivedWebhook>]>([
  ['another body', { body: BODY.replace('x', 'y') }],
  ['another secret', { secret: newWebhookSecret() }],
  ['another id', { headers: { ...HEADERS, 'webhook-id': 'n' } }],
  ['another timestamp', { headers: { ...HEADERS, 'webhook-timestamp': String(NOW + 1) } }],
  ['no timestamp', { headers: { ...HEADERS, 'webhook-timestamp': 'now' } }],
  ['no signature', { headers: { ...HEADERS, 'webhook-signature': undefined } }],
  ['a signature of another version', { headers: { ...HEADERS, 'webhook-signature': 'v2,AAAA' } }],
  ['a signature that is no base64', { headers: { ...HEADERS, 'webhook-signature': 'v1,%' } }],
  ['an attempt of long ago', { nowMs: (NOW + 301) * 1_000 }],
  ['an attempt of the future', { nowMs: (NOW - 301) * 1_000 }],
])('%s is refused', async (_what, changes) => {
  await expect(verifyWebhook(received(changes))).rejects.toBeInstanceOf(WebhookVerificationError);
});
