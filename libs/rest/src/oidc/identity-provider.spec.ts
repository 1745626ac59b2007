import { SignJWT } from 'jose';
import { ForgingProvider, newSigningKey } from '../../../../test/setup/forging-provider.js';
import { IdentityProvider } from './identity-provider.js';

const CALLBACK = 'https://portal.example.com/oidc/callback';
const SECRET = 'a-secret-between-two-programs-of-32';
const NADJA = { email: 'nadja@example.com', email_verified: true, name: 'Nadja', roles: ['owner'] };

let people: ForgingProvider;
let provider: IdentityProvider;

function providerOf(clientSecret: string | null = SECRET): IdentityProvider {
  const settings = { issuer: people.issuer, clientId: 'popindex', clientSecret };
  const rules = { roleClaim: 'roles', emailDomains: [] };
  return new IdentityProvider({ ...settings, ...rules }, { warn: () => undefined });
}

beforeEach(async () => {
  people = await ForgingProvider.start();
  people.claims = NADJA;
  provider = providerOf();
});

afterEach(() => people.stop());

/** Goes to the provider and comes back, there with an error if one is given. */
async function signIn(error?: string) {
  const { url, attempt } = await provider.begin(CALLBACK, '/usage');
  return provider.finish(people.comeBack(url, error), attempt);
}

async function faultOf(error?: string): Promise<unknown> {
  return signIn(error).then(
    ({ identity }) => identity,
    ({ fault }: { fault: string }) => fault,
  );
}

const now = () => Math.floor(Date.now() / 1_000);
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token that the provider has signed names the person', async () => {
  expect(await signIn()).toEqual({
    identity: {
      issuer: people.issuer,
      subject: 'nadja',
      email: 'nadja@example.com',
      name: 'Nadja',
      roles: ['owner'],
    },
    isPartial: false,
    returnTo: '/usage',
  });
});

describe('a token is refused', () => {
  test('of another key of the same name', async () => {
    const other = await newSigningKey('first');
    people.idToken = (nonce) => people.sign({ nonce }, other);
    expect(await faultOf()).toBe('unusable');
  });

  test('of a key that the provider does not have', async () => {
    const other = await newSigningKey('other');
    people.idToken = (nonce) => people.sign({ nonce }, other);
    expect(await faultOf()).toBe('unusable');
  });

  test('whose payload was changed', async () => {
    people.idToken = async (nonce) => {
      const [head, payload = '', signature] = (await people.sign({ nonce, roles: [] })).split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
      return [head, base64({ ...claims, roles: ['owner'] }), signature].join('.');
    };
    expect(await faultOf()).toBe('unusable');
  });

  test('without a signature, though the provider lists that', async () => {
    people.idToken = async (nonce) => {
      const [, payload] = (await people.sign({ nonce })).split('.');
      return [base64({ alg: 'none' }), payload, ''].join('.');
    };
    expect(await faultOf()).toBe('unusable');
  });

  test('signed with the secret of the client or with the public key as a secret', async () => {
    for (const secret of [SECRET, JSON.stringify(people.key.publicKey)]) {
      people.idToken = async (nonce) => {
        const [, payload = ''] = (await people.sign({ nonce })).split('.');
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
        return new SignJWT({ ...claims })
          .setProtectedHeader({ alg: 'HS256', kid: 'first' })
          .sign(Buffer.from(secret));
      };
      expect(await faultOf()).toBe('unusable');
    }
  });

  test.each<[string, () => object]>([
    ['of another issuer', () => ({ iss: 'https://elsewhere.example.com' })],
    ['for another client', () => ({ aud: 'another' })],
    ['for several clients, given to another one', () => ({ aud: ['popindex', 'b'], azp: 'b' })],
    ['for several clients, given to nobody', () => ({ aud: ['popindex', 'b'] })],
    ['of another attempt', () => ({ nonce: 'another' })],
    ['of no attempt', () => ({ nonce: undefined })],
    ['that has expired', () => ({ iat: now() - 600, exp: now() - 300 })],
    ['that never expires', () => ({ exp: undefined })],
    ['of a time to come', () => ({ iat: now() + 3_600, exp: now() + 7_200 })],
    ['that holds only from a time to come', () => ({ nbf: now() + 3_600 })],
    ['of nobody', () => ({ sub: undefined })],
    ['of a subject without a name', () => ({ sub: '' })],
    ['of a number', () => ({ sub: 7 })],
    ['of an endless subject', () => ({ sub: 'a'.repeat(256) })],
    ['with a zero character in its subject', () => ({ sub: 'na\0dja' })],
    ['with a zero character in its name', () => ({ name: 'Na\0dja' })],
    ['with a zero character in its address', () => ({ email: 'na\0dja@example.com' })],
    ['with half a character in its name', () => ({ name: 'Nadja \ud83d' })],
    ['with an endless address', () => ({ email: `${'a'.repeat(2_000)}@example.com` })],
    ['with an endless name', () => ({ name: 'a'.repeat(1_000_000) })],
  ])('%s', async (_, claims) => {
    people.idToken = (nonce) => people.sign({ nonce, ...claims() });
    expect(await faultOf()).toBe('unusable');
  });
});

test('a provider that has replaced its keys a moment ago goes on signing people in', async () => {
  await signIn();
  people.key = await newSigningKey('second');
  expect(await signIn()).toMatchObject({ identity: { subject: 'nadja' } });
});

test('an answer of another attempt, or without one, is of a sign-in that is over', async () => {
  const [first, second] = [
    await provider.begin(CALLBACK, '/'),
    await provider.begin(CALLBACK, '/'),
  ];
  const back = people.comeBack(second.url);
  for (const kept of [first.attempt, undefined, 'made-up']) {
    await expect(provider.finish(back, kept)).rejects.toMatchObject({ fault: 'expired' });
  }
  await expect(
    provider.finish(back.replace(/state=[^&]*&?/, ''), second.attempt),
  ).rejects.toMatchObject({ fault: 'expired' });
  expect(people.asked).toEqual([]);
});

test.each([
  ['access_denied', 'denied'],
  ['login_required', 'denied'],
  ['temporarily_unavailable', 'unavailable'],
  ['server_error', 'unavailable'],
  ['invalid_scope', 'unusable'],
  ['unauthorized_client', 'unusable'],
])('the error %s of the provider is the fault %s', async (error, fault) => {
  expect(await faultOf(error)).toBe(fault);
});

test.each([
  [{ status: 400, body: { error: 'invalid_grant' } }, 'denied'],
  [{ status: 401, body: { error: 'invalid_client' } }, 'unusable'],
  [{ status: 503, body: {} }, 'unavailable'],
])('tokens that are refused with %j are the fault %s', async (refusal, fault) => {
  people.refusal = refusal;
  expect(await faultOf()).toBe(fault);
});

test('without the keys of the provider nobody is signed in', async () => {
  people.hasKeys = false;
  expect(await faultOf()).toBe('unavailable');
});

test('a provider that is away is unavailable, there and back', async () => {
  const { url, attempt } = await provider.begin(CALLBACK, '/');
  const back = people.comeBack(url);
  await people.stop();
  await expect(provider.finish(back, attempt)).rejects.toMatchObject({ fault: 'unavailable' });
  await expect(provider.begin(CALLBACK, '/')).rejects.toMatchObject({ fault: 'unavailable' });
});

test.each([
  [undefined, 'header'],
  [['client_secret_basic', 'client_secret_post'], 'header'],
  [['client_secret_post'], 'body'],
  [['private_key_jwt', 'client_secret_post'], 'body'],
])('to a provider that takes %j the secret goes in the %s', async (methods, place) => {
  people.authMethods = methods;
  await signIn();
  const [{ authorization, body } = { authorization: undefined, body: new URLSearchParams() }] =
    people.asked;
  const inHeader = authorization?.startsWith('Basic ') === true;
  expect([inHeader, body.get('client_secret')]).toEqual(
    place === 'header' ? [true, null] : [false, SECRET],
  );
});

test('a public client sends no secret', async () => {
  provider = providerOf(null);
  await signIn();
  const [asked] = people.asked;
  expect([asked?.authorization, asked?.body.get('client_secret')]).toEqual([undefined, null]);
});

describe('further claims', () => {
  test('are not asked for where the token holds everything', async () => {
    people.userInfo = { status: 500, body: {} };
    expect(await signIn()).toMatchObject({ isPartial: false, identity: { roles: ['owner'] } });
  });

  test('that cannot be had leave those of the token', async () => {
    people.claims = { roles: ['owner'] };
    people.userInfo = { status: 500, body: {} };
    expect(await signIn()).toMatchObject({
      isPartial: true,
      identity: { roles: ['owner'], email: null },
    });
  });

  test('complete those of the token', async () => {
    people.claims = {};
    people.userInfo = { status: 200, body: { sub: 'nadja', ...NADJA } };
    expect(await signIn()).toMatchObject({
      isPartial: false,
      identity: { email: 'nadja@example.com', name: 'Nadja', roles: ['owner'] },
    });
  });

  test('of somebody else are a refusal', async () => {
    people.claims = {};
    people.userInfo = { status: 200, body: { sub: 'thief', ...NADJA } };
    expect(await faultOf()).toBe('unusable');
  });
});
