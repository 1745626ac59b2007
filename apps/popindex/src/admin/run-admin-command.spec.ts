import type { AdminCommand } from './admin-command.js';
import { ADMIN_COMMANDS, ADMIN_NOUNS } from './all-commands.js';
import { ACCOUNT, ACCOUNT_WORDS } from './find-account.js';
import { creditedLines, rateLimit, wholeNumber, wholeNumberOrNone } from './read-values.js';
import { adminCommand, givenValues, requestOf as madeOf } from './run-admin-command.js';

const ALL: readonly (readonly [string, AdminCommand])[] = [
  ...ADMIN_NOUNS.flatMap(({ name, commands }) =>
    commands.map((command) => [`${name} ${command.name}`, command] as const),
  ),
  ...ADMIN_COMMANDS.map((command) => [command.name, command] as const),
];

function command(name: string): AdminCommand {
  const found = ALL.find(([each]) => each === name);
  if (found === undefined) throw new Error(name);
  return found[1];
}

/** The request of a command with what was typed for it. */
const requestOf = (each: AdminCommand, typed: readonly unknown[], flags: object) =>
  madeOf(each, givenValues(each, typed, { ...flags }));

test.each(ALL)('%s has a help with an example of itself', (name, each) => {
  expect(each.example.startsWith(name)).toBe(true);
  const given = (each.arguments ?? []).map(({ to }) => to);
  const places = [...each.path.matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
  expect(given).toEqual(expect.arrayContaining(places));
  const made = adminCommand(each);
  const flags = made.options.map(({ long }) => long);
  expect(flags).toContain('--json');
  expect(new Set(flags).size).toBe(flags.length);
});

test('an account is asked for under one name, in every command', () => {
  const places = ALL.flatMap(([, { arguments: args = [], options = [] }]) => [
    ...args.map(({ to, name, description }) => ({ to, shown: name, description })),
    ...options.map(({ to, flags, description }) => ({ to, shown: flags, description })),
  ]);
  const accounts = places.filter(({ to, shown }) => to === ACCOUNT || /^(--|<)account/.test(shown));
  expect(new Set(accounts.map(({ to }) => to))).toEqual(new Set([ACCOUNT]));
  expect(new Set(accounts.map(({ shown }) => shown))).toEqual(
    new Set(['<account>', '--account <account>']),
  );
  expect(accounts.filter(({ description }) => !description.endsWith(ACCOUNT_WORDS))).toEqual([]);
});

test('what is typed goes into path, query and body, and nothing else is sent', () => {
  expect(requestOf(command('grant add'), ['a/b', 500], { kind: 'purchased', price: 7 })).toEqual({
    method: 'POST',
    path: '/accounts/a%2Fb/grants',
    body: { credits: 500, kind: 'purchased', price: 7 },
  });
  expect(requestOf(command('account list'), [], { status: 'active', limit: '5' })).toEqual({
    method: 'GET',
    path: '/accounts?status=active&limit=5',
  });
  expect(requestOf(command('key revoke'), ['a', 'k'], {})).toEqual({
    method: 'DELETE',
    path: '/accounts/a/api-keys/k',
  });
});

test('a change of nothing is sent, so that the service reports what it lacks', () => {
  expect(requestOf(command('account change'), ['a'], {})).toMatchObject({ body: {} });
});

test('a file is the body, and an option says more', () => {
  const file = { effective_window: null, call_cost: 10, rules: [] };
  const { body } = requestOf(command('rate-card publish'), [file], { reason: 'why' });
  expect(body).toEqual({ ...file, reason: 'why' });
});

test('only what changes something takes the key of a change, a question by POST does not', () => {
  const takesKey = (name: string) =>
    adminCommand(command(name)).options.some(({ long }) => long === '--idempotency-key');
  const questions = ['account reconcile', 'budget preview', 'rate-card preview', 'account list'];
  expect(questions.filter(takesKey)).toEqual([]);
  expect(
    ['adjustment add', 'budget add', 'key revoke', 'seller set'].filter((name) => !takesKey(name)),
  ).toEqual([]);
});

test('null is said with none, from the command line on', () => {
  const change = command('account change');
  const made = adminCommand(change).action(() => undefined);
  made.parse(['a', '--overdraft', 'none', '--plan', 'none', '--name', 'N'], { from: 'user' });
  const { body } = requestOf(change, ['a'], made.opts());
  expect(body).toEqual({ name: 'N', overdraft_credits: null, plan: null });
});

test('credits below zero are no option', () => {
  const adjust = command('adjustment add');
  const made = adminCommand(adjust).action(() => undefined);
  made.parse(['a', '-50', 'why'], { from: 'user' });
  expect(requestOf(adjust, made.processedArgs, made.opts()).body).toEqual({
    credits: -50,
    reason: 'why',
  });
});

test('parts of lines are amounts, or credits', () => {
  expect(creditedLines('4=1200, 5=500c')).toEqual([
    { line: 4, amount: 1_200 },
    { line: 5, credits: 500 },
  ]);
  for (const text of ['', '4', '4=', '4=1.5', '4=-1', '4=12x', '4=9007199254740993']) {
    expect(() => creditedLines(text)).toThrow(/line|whole/);
  }
});

test.each([
  ['100_000', 100_000],
  ['1,000,000', 1_000_000],
  ['-50', -50],
])('%s is a whole number', (text, value) => expect(wholeNumber(text)).toBe(value));

test.each(['1.5', '', '1,00', '12e3', '9007199254740993', 'ten'])('"%s" is none', (text) =>
  expect(() => wholeNumber(text)).toThrow('is not a whole number'),
);

test('limits of calls are read', () => {
  expect(rateLimit('50/100')).toEqual({ per_second: 50, burst: 100 });
  expect([rateLimit('none'), wholeNumberOrNone('none')]).toEqual([null, null]);
  expect(() => rateLimit('50')).toThrow('50/100');
});
