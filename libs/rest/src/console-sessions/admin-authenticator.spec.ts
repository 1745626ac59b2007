import { LogUnavailableError } from '#event-log/event-log.js';
import { AdminAuthenticator } from './admin-authenticator.js';
import type { FoundToken } from '../admin-tokens/admin-tokens.js';
import { newAdminToken, tokenHash } from '../admin-tokens/new-admin-token.js';

const TOKEN = 'a-token-of-at-least-32-characters-0123';
const NAMED = newAdminToken().token;
const ISSUED = { id: 'the-id', role: 'support', status: 'active' } as FoundToken;

type Refused = Extract<Awaited<ReturnType<AdminAuthenticator['admit']>>, { outcome: 'refused' }>;

let looks: string[];
const find = async (hash: string): Promise<FoundToken | undefined> => {
  looks.push(hash);
  return hash === tokenHash(NAMED) ? ISSUED : undefined;
};
const door = new AdminAuthenticator(TOKEN, { find });

beforeEach(() => (looks = []));

describe('the door of the admin REST', () => {
  it.each([[`Bearer ${TOKEN}`], [`bearer ${TOKEN}`], [`BEARER  ${TOKEN} `]])(
    'admits an owner with %s, and asks no log for it',
    async (header) => {
      const owner = { outcome: 'admitted', tokenId: 'owner', role: 'owner' };
      expect([await door.admit([header]), looks]).toEqual([owner, []]);
    },
  );

  it('admits a named token with its role', async () => {
    const named = { outcome: 'admitted', tokenId: 'the-id', role: 'support' };
    expect(await door.admit([`Bearer ${NAMED}`])).toEqual(named);
  });

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
    ['invalid-key', [`Bearer ${NAMED.slice(0, -1)}`]],
    ['invalid-key', [`Bearer ${NAMED.toLowerCase()}`]],
    ['invalid-key', [`Bearer ${NAMED}`, `Bearer ${NAMED}`]],
  ])('answers %s to %j, and asks no log for it', async (slug, headers) => {
    const refused = { outcome: 'refused', problem: { slug } };
    expect([await door.admit(headers), looks]).toMatchObject([refused, []]);
  });

  it.each([
    [`Bearer pix_live_${'a'.repeat(36)}`, 'That is an API key: it opens the API'],
    ['Bearer secret', 'a named one begins with pixadm_'],
    [
      'Basic YTpi',
      'The scheme Basic is not taken: send the header "Authorization: Bearer <token>".',
    ],
    [TOKEN, 'The header Authorization lacks the word Bearer'],
  ])('says of %s what would be right, and repeats no secret', async (header, text) => {
    const headers = { authorization: header };
    const { detail } = ((await door.admit([header], headers)) as Refused).problem;
    expect(detail).toContain(text);
    expect(detail).not.toContain(header.replace(/^\w+ /, ''));
  });

  it('refuses a token that was never issued', async () => {
    const refused = { outcome: 'refused', problem: { slug: 'invalid-key' } };
    expect(await door.admit([`Bearer ${newAdminToken().token}`])).toMatchObject(refused);
  });

  it('says that the log is away rather than that a token is wrong', async () => {
    const away = async () => Promise.reject(new LogUnavailableError('The log is away.'));
    const closed = new AdminAuthenticator(TOKEN, { find: away });
    await expect(closed.admit([`Bearer ${NAMED}`])).rejects.toThrow(LogUnavailableError);
    expect(await closed.admit([`Bearer ${TOKEN}`])).toMatchObject({ tokenId: 'owner' });
  });
});
