import { AdminToken } from './admin-token.js';

const TOKEN = 'a-token-of-at-least-32-characters-0123';

describe('the admin token', () => {
  const door = new AdminToken(TOKEN);

  it.each([[`Bearer ${TOKEN}`], [`bearer ${TOKEN}`], [`BEARER  ${TOKEN} `]])(
    'admits %s',
    (header) => {
      expect(door.admit([header])).toEqual({ outcome: 'admitted', tokenId: 'owner' });
    },
  );

  it.each([
    ['unauthenticated', []],
    ['unauthenticated', ['']],
    ['unauthenticated', ['Basic YTpi']],
    ['unauthenticated', [TOKEN]],
    ['unauthenticated', [`Bearer${TOKEN}`]],
    ['invalid-key', ['Bearer']],
    ['invalid-key', ['Bearer ']],
    ['invalid-key', [`Bearer ${TOKEN}x`]],
    ['invalid-key', [`Bearer ${TOKEN.slice(0, -1)}`]],
    ['invalid-key', [`Bearer ${TOKEN.toUpperCase()}`]],
    ['invalid-key', [`Bearer ${TOKEN} ${TOKEN}`]],
    ['invalid-key', [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]],
  ])('answers %s to %j', (slug, headers) => {
    const admission = door.admit(headers);
    expect(admission).toMatchObject({ outcome: 'refused', problem: { slug } });
  });
});
