import { SessionCookie } from './cookie.js';

test.each([
  ['http://127.0.0.1:3003', 'popindex=a; Max-Age=60; Path=/; HttpOnly; SameSite=Strict'],
  [
    'https://portal.example.com',
    '__Host-popindex=a; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure',
  ],
  // A `__Host-` cookie would be for every path, and browsers refuse one that is not.
  [
    'https://example.com/my/portal',
    '__Secure-popindex=a; Max-Age=60; Path=/my/portal; HttpOnly; SameSite=Strict; Secure',
  ],
  ['http://127.0.0.1:8080/my', 'popindex=a; Max-Age=60; Path=/my; HttpOnly; SameSite=Strict'],
  [null, 'popindex=a; Max-Age=60; Path=/; HttpOnly; SameSite=Strict'],
])('a server at %s sets the cookie %s', (publicUrl, set) => {
  expect(new SessionCookie('popindex', publicUrl, 60).set('a')).toBe(set);
});

test('a cookie is cleared below the path where it was set', () => {
  const cookie = new SessionCookie('popindex', 'https://example.com/my', 60);
  expect(cookie.clear()).toMatch(/^__Secure-popindex=; Max-Age=0; Path=\/my; /);
});
