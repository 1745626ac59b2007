import { Argument, Command, Option } from 'commander';
import type { Connection } from '#client/connection.js';
import { ProblemError } from '#client/problem-error.js';
import { runCommand } from '#web/run-main.js';
import type {
  AdminCommand,
  AdminNoun,
  AdminRequest,
  InputPlace,
  Read,
  SentFile,
} from './admin-command.js';
import { askAdmin } from './ask-admin.js';
import { ACCOUNT, findAccount } from './find-account.js';
import { answerText, refusalText, type TypedNames } from './render.js';

/** Members that an answer shows this once. */
const SECRETS = ['key', 'secret', 'token'] as const;

interface Flags {
  readonly json?: boolean;
  readonly idempotencyKey?: string;
}

type Values = Readonly<Record<string, unknown>>;

/** A parsed text. Commander takes a bare null for the empty text. */
class ParsedText {
  constructor(readonly value: unknown) {}
}

const typedBy = (read: Read) => (text: string) => new ParsedText(read(text));

function valueOf(typed: unknown): unknown {
  return typed instanceof ParsedText ? typed.value : typed;
}

/** A value that was typed, and where it goes. */
type GivenValue = InputPlace & { readonly value: unknown };

/** Values that were typed for a command. Pure. */
export function givenValues(
  { arguments: args = [], options = [] }: AdminCommand,
  typed: readonly unknown[],
  flags: Values,
): GivenValue[] {
  return [
    ...args.map((argument, index) => ({ ...argument, value: valueOf(typed[index]) })),
    ...options.map((option) => ({
      ...option,
      value: valueOf(flags[new Option(option.flags).attributeName()]),
    })),
  ].filter(({ value }) => value !== undefined);
}

/** With the ids of accounts in the places of what names them. */
function withAccountIds(
  admin: Connection,
  given: readonly GivenValue[],
): Promise<readonly GivenValue[]> {
  return Promise.all(
    given.map(async (one) =>
      one.to === ACCOUNT ? { ...one, value: await findAccount(admin, String(one.value)) } : one,
    ),
  );
}

/** The arguments and options of a command by the names that they have in a request. */
function typedNames({ arguments: args = [], options = [] }: AdminCommand): TypedNames {
  return Object.fromEntries([
    ...args.map(({ to, name }) => [to, name] as const),
    ...options.map(({ to, flags }) => [to, new Option(flags).long ?? flags] as const),
    ['Idempotency-Key', '--idempotency-key'] as const,
  ]);
}

/** The request that these values make. Pure. */
export function requestOf(
  { method, path }: AdminCommand,
  given: readonly GivenValue[],
): AdminRequest {
  const at = (place: string) => given.filter((each) => each.in === place);
  const query = new URLSearchParams(
    at('query').map(({ to, value }): [string, string] => [to, String(value)]),
  );
  const filled = at('path').reduce(
    (text, { to, value }) => text.replace(`{${to}}`, encodeURIComponent(String(value))),
    path,
  );
  const body = Object.assign(
    {},
    ...at('body').map(({ to, value }) => (to === '' ? value : { [to]: value })),
  ) as Values;
  const [file] = at('file').map(({ value }) => value as SentFile);
  // A change of nothing is sent too: the service reports what it lacks.
  const isSent = method === 'PATCH' || (method !== 'GET' && Object.keys(body).length > 0);
  return {
    method,
    path: query.size === 0 ? filled : `${filled}?${query.toString()}`,
    ...(isSent && { body }),
    ...(file && { body: file.bytes, headers: { 'Content-Type': file.type } }),
  };
}

async function run(
  command: AdminCommand,
  given: readonly GivenValue[],
  flags: Flags,
): Promise<number> {
  const { idempotencyKey } = flags;
  let value: unknown;
  try {
    value = await askAdmin(async (admin) => {
      const request = requestOf(command, await withAccountIds(admin, given));
      return admin.json({ ...request, idempotencyKey });
    });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    process.stderr.write(`${refusalText(error.status, error.body, typedNames(command))}\n`);
    if (flags.json === true) process.stdout.write(`${JSON.stringify(error.body, null, 2)}\n`);
    return 1;
  }
  if (flags.json === true) process.stdout.write(`${JSON.stringify(value ?? null, null, 2)}\n`);
  else if (value === undefined) process.stdout.write(`${command.done ?? 'Done.'}\n`);
  else process.stdout.write(`${answerText(value, command.columns)}\n`);
  const secret = SECRETS.find((name) => typeof (value as Values | undefined)?.[name] === 'string');
  if (secret !== undefined) process.stderr.write(`The ${secret} is shown this once: keep it.\n`);
  return 0;
}

/** A command of commander's, from its line of the table. */
export function adminCommand(command: AdminCommand): Command {
  const made = new Command(command.name).description(command.description);
  for (const { name, description, read } of command.arguments ?? []) {
    const argument = new Argument(name, description);
    made.addArgument(read === undefined ? argument : argument.argParser(typedBy(read)));
  }
  for (const { flags, description, read, isRequired = false } of command.options ?? []) {
    const option = new Option(flags, description).makeOptionMandatory(isRequired);
    made.addOption(read === undefined ? option : option.argParser(typedBy(read)));
  }
  if (command.isChange) {
    made.option('--idempotency-key <key>', 'name of this change: under it, it happens once');
  }
  made.option('--json', 'print the answer as JSON');
  made.addHelpText('after', `\nExample:\n  popindex ${command.example}`);
  const count = command.arguments?.length ?? 0;
  made.action(async (...typed: unknown[]) => {
    const flags = made.opts<Values & Flags>();
    const given = givenValues(command, typed.slice(0, count), flags);
    await runCommand('popindex', () => run(command, given, flags));
  });
  return made;
}

/** `popindex <noun> …` with all its commands. */
export function nounCommand({ name, description, commands }: AdminNoun): Command {
  const noun = new Command(name).description(description);
  for (const command of commands) noun.addCommand(adminCommand(command));
  return noun;
}
