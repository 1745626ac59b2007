import { identityOf, lacksClaims, type Claims } from './identity.js';

const RULES = { roleClaim: 'roles', emailDomains: ['trusted.example.com'] };
const TOKEN = { iss: 'https://id.example.com', sub: 'nadja' };
const EMAIL = 'nadja@example.com';

function emailOf(token: Claims, more: Claims = {}): string | null {
  return identityOf({ ...TOKEN, ...token }, more, RULES).email;
}

test.each<[string, Claims, Claims, string | null]>([
  ['verified', { email: EMAIL, email_verified: true }, {}, EMAIL],
  ['verified, written as a text', { email: EMAIL, email_verified: 'true' }, {}, EMAIL],
  ['not verified', { email: EMAIL, email_verified: false }, {}, null],
  ['not verified, written as a text', { email: EMAIL, email_verified: 'false' }, {}, null],
  ['verified as a number', { email: EMAIL, email_verified: 1 }, {}, null],
  ['verified as a list', { email: EMAIL, email_verified: [true] }, {}, null],
  ['of which nothing is said', { email: EMAIL }, {}, null],
  ['in a list', { email: [EMAIL], email_verified: true }, {}, null],
  ['in an object', { email: { value: EMAIL }, email_verified: true }, {}, null],
  ['empty', { email: '', email_verified: true }, {}, null],
  ['said elsewhere as a whole', {}, { email: EMAIL, email_verified: true }, EMAIL],
  ['said twice', { email: EMAIL }, { email: EMAIL, email_verified: true }, EMAIL],
  [
    'verified elsewhere, but not by the token',
    { email: EMAIL, email_verified: false },
    { email: EMAIL, email_verified: true },
    null,
  ],
  [
    'with a word about another one elsewhere',
    { email: EMAIL },
    { email: 'other@example.com', email_verified: true },
    'other@example.com',
  ],
  ['whose word stands elsewhere alone', { email: EMAIL }, { email_verified: true }, null],
  ['elsewhere, with a word of the token', { email_verified: true }, { email: EMAIL }, null],
])('an address that is %s', (_, token, more, expected) => {
  expect(emailOf(token, more)).toBe(expected);
});

test.each<[string, Claims, string | null]>([
  ['counts', { email: 'nadja@trusted.example.com' }, 'nadja@trusted.example.com'],
  ['counts in capitals', { email: 'nadja@Trusted.Example.com' }, 'nadja@Trusted.Example.com'],
  [
    'does not where it is unverified',
    { email: 'a@trusted.example.com', email_verified: false },
    null,
  ],
  ['does not below the domain', { email: 'a@b.trusted.example.com' }, null],
  ['does not with a longer name', { email: 'a@untrusted.example.com' }, null],
  ['does not as a name before another', { email: 'a@trusted.example.com@example.com' }, null],
])('an address of a domain that is trusted %s', (_, token, expected) => {
  expect(emailOf(token)).toBe(expected);
});

test.each<[string, Claims, readonly string[]]>([
  ['roles', { roles: 'owner' }, ['owner']],
  ['roles', { roles: ['owner', 7, null, ['billing']] }, ['owner']],
  ['roles', { roles: { owner: true } }, []],
  ['roles', { roles: null }, []],
  ['realm_access.roles', { realm_access: { roles: ['support'] } }, ['support']],
  ['realm_access.roles', { 'realm_access.roles': 'data' }, ['data']],
  ['https://example.com/roles', { 'https://example.com/roles': ['data'] }, ['data']],
  ['constructor.name', {}, []],
  ['__proto__', {}, []],
])('the role claim %s of %j names %j', (roleClaim, claims, roles) => {
  expect(identityOf({ ...TOKEN, ...claims }, {}, { ...RULES, roleClaim }).roles).toEqual(roles);
});

test('roles of the token are not added to', () => {
  const more = { roles: ['owner'] };
  expect(identityOf({ ...TOKEN, roles: [] }, more, RULES).roles).toEqual([]);
  expect(identityOf(TOKEN, more, RULES).roles).toEqual(['owner']);
});

test.each<[Claims, string | null]>([
  [{ name: 7 }, null],
  [{ name: ['Nadja'] }, null],
  [{ name: '' }, null],
  [{ name: 'Nadja 👩‍🔬' }, 'Nadja 👩‍🔬'],
])('the name of %j is %j', (claims, name) => {
  expect(identityOf({ ...TOKEN, ...claims }, {}, RULES).name).toBe(name);
});

test('claims are whole with an address and what is said of it, a name and roles', () => {
  const whole = { email: EMAIL, email_verified: false, name: 'Nadja', roles: [] };
  expect(lacksClaims(whole, RULES)).toBe(false);
  for (const name of Object.keys(whole)) {
    expect(lacksClaims({ ...whole, [name]: undefined }, RULES)).toBe(true);
  }
});
