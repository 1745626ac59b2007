import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatures } from './signature.js';

const BODY = '{"name":"Ünïcode ✓"}';

function headersOf(secrets: readonly string[], seconds: number): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures(secrets, 'msg_1', seconds, BODY),
  };
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}

test('a secret is whsec_ and base64 of 32 bytes, and none is like another', () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newWebhookSecret()).not.toBe(secret);
});

test('the library of Standard Webhooks takes the signature', () => {
  const secret = newWebhookSecret();
  expect(new Webhook(secret).verify(BODY, headersOf([secret], now()))).toEqual(JSON.parse(BODY));
});

test('after a rotation it takes the signatures with the old and with the new secret', () => {
  const [present, before] = [newWebhookSecret(), newWebhookSecret()];
  const headers = headersOf([present, before], now());
  for (const secret of [present, before]) {
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  }
  expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow('signature');
});

test('another body, id or moment has another signature', () => {
  const secret = newWebhookSecret();
  const headers = headersOf([secret], now());
  const verify = (body: string, changed: Record<string, string>) => () =>
    new Webhook(secret).verify(body, { ...headers, ...changed });
  expect(verify(`${BODY} `, {})).toThrow('signature');
  expect(verify(BODY, { 'webhook-id': 'msg_2' })).toThrow('signature');
  expect(verify(BODY, { 'webhook-timestamp': String(now() - 1) })).toThrow('signature');
});
