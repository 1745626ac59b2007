import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatures } from '../../deliveries/src/signature.js';
import {
  verifyWebhook,
  WebhookVerificationError,
  type ReceivedWebhook,
  type WebhookHeaders,
} from './webhook.js';

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

const UPPER = Object.fromEntries(
  Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]),
);
const TITLED = {
  'Webhook-Id': 'm',
  'Webhook-Timestamp': String(NOW),
  'Webhook-Signature': HEADERS['webhook-signature'],
};
const arrays = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

test.each<[string, WebhookHeaders]>([
  ['of Fetch', new Headers(UPPER)],
  ['of Node', { host: 'a', cookie: undefined, 'set-cookie': ['a', 'b'], ...HEADERS }],
  ['in upper case', UPPER],
  ['with capitals', TITLED],
  ['with several values each', arrays(TITLED)],
  ['in two spellings', { ...HEADERS, ...TITLED }],
  ['with an empty spelling', { ...HEADERS, 'Webhook-Id': '', 'WEBHOOK-ID': undefined }],
  ['in a map', new Map(Object.entries(UPPER))],
  ['in a map of arrays', new Map(Object.entries(arrays(TITLED)))],
  ['as pairs', Object.entries(TITLED)],
  ['without a prototype', Object.assign(Object.create(null), TITLED) as Record<string, string>],
])('headers are found %s', async (_what, headers) => {
  expect(await verifyWebhook(received({ headers }))).toMatchObject({ id: 'm' });
});

test.each([[(sent: string[]) => sent], [(sent: string[]) => sent.join(', ')]])(
  'signatures may come in several headers, apart or joined (%#)',
  async (join) => {
    const other = signatures([newWebhookSecret()], 'm', NOW, BODY);
    const sent = join([other, HEADERS['webhook-signature']]);
    const headers = { ...HEADERS, 'webhook-signature': sent };
    expect(await verifyWebhook(received({ headers }))).toMatchObject({ id: 'm' });
  },
);

test.each<[Partial<ReceivedWebhook>, string]>([
  [
    { headers: undefined as unknown as Headers },
    'Missing headers: webhook-id, webhook-timestamp, webhook-signature.',
  ],
  [{ headers: {} }, 'Missing headers: webhook-id, webhook-timestamp, webhook-signature.'],
  [
    { headers: { ...HEADERS, 'webhook-id': '', 'webhook-signature': [] } },
    'Missing headers: webhook-id, webhook-signature.',
  ],
  [
    { headers: { ...HEADERS, 'webhook-timestamp': 'now' } },
    'webhook-timestamp is no time in seconds: "now".',
  ],
  [{ nowMs: (NOW + 301) * 1_000 }, 'webhook-timestamp is 301 s old; 300 s are tolerated.'],
  [{ secret: [] }, 'verifyWebhook takes one secret or several.'],
  [{ secret: undefined as unknown as string }, 'A secret is whsec_ and base64.'],
  [{ body: {} as string }, 'The body is the text or the bytes that arrived, before any parser.'],
])('what is wrong is said (%#)', async (changes, message) => {
  await expect(verifyWebhook(received(changes))).rejects.toThrow(message);
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
  ['an id that is sent twice', { headers: { ...HEADERS, 'webhook-id': ['m', 'n'] } }],
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
