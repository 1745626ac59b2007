import type { ClientRequest } from '#client/connection.js';
import { findAccount } from './find-account.js';

const ID = '0197c2aa-0000-4000-8000-00000000000a';
const account = (end: string, name: string | null, external_id: string | null = null) => {
  return { id: `${ID.slice(0, -1)}${end}`, name, external_id, status: 'active' };
};

/** A service with accounts, whose search returns all of them, one a page. */
function serviceWith(...accounts: readonly ReturnType<typeof account>[]) {
  const asked: string[] = [];
  const json = <Answer>({ path, query = {} }: ClientRequest): Promise<Answer> => {
    asked.push(path);
    const { external_id: own, after } = query;
    if (own !== undefined) {
      const items = accounts.filter(({ external_id }) => external_id === own);
      return Promise.resolve({ items, next: null } as Answer);
    }
    const place = Number(after ?? 0);
    const next = place + 1 < accounts.length ? String(place + 1) : null;
    return Promise.resolve({ items: accounts.slice(place, place + 1), next } as Answer);
  };
  return { json, asked };
}

test('an id is taken as it is, and nobody is asked', async () => {
  const service = serviceWith();
  expect(await findAccount(service, ID.toUpperCase())).toBe(ID.toUpperCase());
  expect(service.asked).toEqual([]);
});

test.each(['Acme', 'crm-17'])(
  '%s names the account with that name or external id',
  async (text) => {
    const service = serviceWith(account('1', 'Acme Ltd'), account('2', 'Acme', 'crm-17'));
    expect(await findAccount(service, text)).toBe(account('2', '').id);
  },
);

test('of several with the name, or one with it as external id, nobody chooses by chance', async () => {
  const service = serviceWith(account('1', 'Acme'), account('2', 'Other', 'Acme'));
  await expect(findAccount(service, 'Acme')).rejects.toThrow(
    [
      'popindex: "Acme" names 2 accounts: use an id:',
      `  ${account('2', '').id}  Other  Acme  active`,
      `  ${account('1', '').id}  Acme  active`,
    ].join('\n'),
  );
});

test('where none has it, those that are alike are listed', async () => {
  await expect(findAccount(serviceWith(account('1', 'Acme Ltd')), 'Acme')).rejects.toThrow(
    'popindex: no account has the id, external id or name "Acme". Similar ones:\n' +
      `  ${account('1', '').id}  Acme Ltd  active`,
  );
  await expect(findAccount(serviceWith(), 'a'.repeat(201))).rejects.toThrow(/name "a+"\.$/);
});

test('a name cannot move the cursor of the terminal', async () => {
  const service = serviceWith(account('1', 'Acme\u001b[2J'));
  // oxlint-disable-next-line no-control-regex
  await expect(findAccount(service, 'Acme')).rejects.toThrow(/^[^\u001b]*$/);
});
