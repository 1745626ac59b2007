import { expandedDocument } from '../setup/expanded-document.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AdminCommand } from '../../apps/popindex/src/admin/admin-command.js';
import { ADMIN_COMMANDS, ADMIN_NOUNS } from '../../apps/popindex/src/admin/all-commands.js';
import { freePort } from '../setup/free-port.js';
import { Program } from '../setup/program.js';
import { ask, ADMIN_TOKEN, Service } from '../setup/service.js';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Of tests that start many programs, one after the other. */
const MANY_PROGRAMS_MS = 120_000;

let service: Service;
let folder: string;

beforeAll(async () => {
  service = await Service.start();
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-cli-'));
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function popindex(args: readonly string[], settings = {}): Promise<Ended> {
  const env = { ADMIN_URL: service.adminUrl, ADMIN_TOKEN, INIT_CWD: folder, ...settings };
  const program = Program.popindex(args, env);
  const code = await program.ended;
  return { code, out: program.stdout, err: program.stderr };
}

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await popindex([...args, '--json']);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`);
  return JSON.parse(out) as Record<string, unknown>;
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: unknown;
}

test('every command is a route of the admin REST, with the parameters that it has', async () => {
  const { body } = await ask(`${service.adminUrl}/openapi.json`, ADMIN_TOKEN);
  const paths = expandedDocument(body).paths as Record<string, Record<string, Operation>>;
  const commands: AdminCommand[] = [
    ...ADMIN_NOUNS.flatMap(({ commands: each }) => each),
    ...ADMIN_COMMANDS,
  ];
  const unknown = commands.flatMap(
    ({ method, path: route, options = [], arguments: args = [] }) => {
      const operation = paths[`/admin/v1${route}`]?.[method.toLowerCase()];
      if (operation === undefined) return [`${method} ${route}`];
      const known = new Set(operation.parameters?.map(({ name }) => name));
      return [...args, ...options]
        .filter((given) => !['body', 'file'].includes(given.in) && !known.has(given.to))
        .map(({ to }) => `${method} ${route}: ${to}`);
    },
  );
  expect(unknown).toEqual([]);
});

test(
  'a customer is served from the command line',
  async () => {
    const opened = await json('account', 'open', 'Acme', '--low-balance', '1000');
    const id = String(opened.id);
    const key = await json('key', 'issue', id, 'First key');
    expect(key.key).toMatch(/^pix_live_/);
    await json('grant', 'add', id, '100_000', '--kind', 'purchased', '--price', '120000');
    await json('adjustment', 'add', id, '-50', 'twice by mistake');
    const url = `${service.apiUrl}/v1/latest/cat1/trends/top5/popindex/us/beauty`;
    expect((await ask(url, String(key.key))).status).toBe(200);
    expect(await json('account', 'show', id)).toMatchObject({ balance: 99_915, name: 'Acme' });

    const shown = await popindex(['grant', 'list', id]);
    expect([shown.code, shown.err]).toEqual([0, '']);
    expect(shown.out).toMatch(/^id +kind +credits +left/);
    expect(shown.out).toMatch(/purchased +100,000 +99,915/);
    const usage = await json('usage', 'list', id, '--by', 'resource');
    expect(usage.items).toMatchObject([{ resource: 'trends', calls: 1, credits_used: 35 }]);
    const revoked = await popindex(['key', 'revoke', id, String(key.id), '--reason', 'leaked']);
    expect(revoked).toMatchObject({ code: 0, out: expect.stringContaining('revoked') });
    expect((await ask(url, String(key.key))).status).toBe(401);
  },
  MANY_PROGRAMS_MS,
);

test(
  'an account is named by its id, its external id or its name',
  async () => {
    const { id } = await json('account', 'open', 'Named & Sons', '--external-id', 'crm-1');
    const second = await json('account', 'open', 'Twin');
    await json('account', 'open', 'Twin');
    for (const name of [String(id), 'crm-1', 'Named & Sons']) {
      expect(await json('account', 'show', name)).toMatchObject({ id });
    }
    const { items } = await json('audit', 'list', '--account', 'crm-1');
    expect(items).toMatchObject([{ account_id: id }]);
    const twins = await popindex(['grant', 'add', 'Twin', '5', '--kind', 'promotional']);
    expect([twins.code, twins.err]).toEqual([1, expect.stringContaining(String(second.id))]);
  },
  MANY_PROGRAMS_MS,
);

test(
  'a change that is asked for again under its key happens once',
  async () => {
    const id = String((await json('account', 'open', 'Once')).id);
    const grant = ['grant', 'add', id, '500', '--kind', 'promotional', '--idempotency-key', 'g1'];
    const first = await json(...grant);
    expect((await json(...grant)).id).toBe(first.id);
    expect(await json('account', 'show', id)).toMatchObject({ balance: 500 });
  },
  MANY_PROGRAMS_MS,
);

test(
  'a refusal prints each fault and ends with 1; as JSON it is the problem',
  async () => {
    const id = String((await json('account', 'open', 'Faults')).id);
    const refused = await popindex(['grant', 'add', id, '0', '--kind', 'free']);
    expect([refused.code, refused.out]).toEqual([1, '']);
    const lines = refused.err.trimEnd().split('\n');
    expect(lines[0]).toBe('popindex: This is wrong (400 invalid-body):');
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^ {2}<credits>: /),
      expect.stringMatching(/^ {2}--kind: /),
    ]);
    const again = await popindex(['grant', 'add', id, '0', '--kind', 'free', '--json']);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out)).toMatchObject({ code: 'invalid-body' });
  },
  MANY_PROGRAMS_MS,
);

test('a rate card is published from a file, and a mistake in it is reported', async () => {
  await writeFile(path.join(folder, 'card.json'), JSON.stringify({ call_cost: -1, rules: [] }));
  const refused = await popindex(['rate-card', 'publish', 'card.json']);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('  <file> /effective_window: '),
  ]);
  await writeFile(path.join(folder, 'broken.json'), '{');
  const broken = await popindex(['rate-card', 'publish', 'broken.json']);
  expect([broken.code, broken.err]).toEqual([
    2,
    expect.stringContaining(`${folder}/broken.json: `),
  ]);
});

test(
  'the seller and the billing details of an account are shown, edited and set again',
  async () => {
    await json('account', 'open', 'Billed');
    const address = { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' };
    for (const [party, shown] of [
      [['seller'], await json('seller', 'show')],
      [['billing', 'Billed'], await json('billing', 'show', 'Billed')],
    ] as const) {
      const [noun, ...account] = party;
      const edited = { ...shown, name: 'Index GmbH', address, email: 'a@example.com' };
      await writeFile(path.join(folder, 'party.json'), JSON.stringify(edited));
      expect(await json(noun, 'set', ...account, 'party.json')).toMatchObject(edited);
      expect(await json(noun, 'show', ...account)).toMatchObject(edited);
      await writeFile(path.join(folder, 'party.json'), JSON.stringify({ ...edited, email: 'a' }));
      const refused = await popindex([noun, 'set', ...account, 'party.json']);
      expect([refused.code, refused.err]).toEqual([
        1,
        expect.stringContaining('  <file> /email: '),
      ]);
    }
  },
  MANY_PROGRAMS_MS,
);

test('a service that is away is reported with the address and its source', async () => {
  const ADMIN_URL = `http://127.0.0.1:${await freePort()}`;
  const away = await popindex(['account', 'list'], { ADMIN_URL });
  expect(away).toEqual({
    code: 1,
    out: '',
    err: `popindex: the admin REST at ${ADMIN_URL} does not answer (ECONNREFUSED). The address comes from ADMIN_URL; is the service running?\n`,
  });
  const token = await popindex(['account', 'list'], { ADMIN_TOKEN: '', DATA_DIR: folder });
  expect([token.code, token.err]).toEqual([1, expect.stringContaining(`${folder}/admin-token`)]);
});

test.each<[string, readonly string[], RegExp]>([
  ['a command that there is not', ['account', 'opne'], /unknown command 'opne'/],
  [
    'a missing argument',
    ['grant', 'add', 'x', '--kind', 'promotional'],
    /missing required argument 'credits'/,
  ],
  [
    'a missing option beside credits that are no number',
    ['grant', 'add', 'x', 'many'],
    /required option '--kind[^]*"many" is not a whole number/,
  ],
])('%s ends with 2', async (_what, args, line) => {
  const { code, out, err } = await popindex(args);
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(line)]);
});

test('help is an answer: it ends with 0 and has an example', async () => {
  const { code, out, err } = await popindex(['budget', 'add', '--help']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/Example:\n {2}popindex budget add /);
});
