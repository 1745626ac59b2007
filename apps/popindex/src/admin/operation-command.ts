import { z } from 'zod';
import type { CommandLine, Operation } from '#rest/operation/operation.js';
import { queryOf } from '#rest/operation/read-request.js';
import { pathNames, pathParameter } from '#rest/operation/path-parameters.js';
import type { AdminCommand, CommandArgument, CommandOption, Read } from './admin-command.js';
import { ACCOUNT, ACCOUNT_WORDS } from './find-account.js';
import * as read from './read-values.js';

/** Members that are typed in a way of their own. */
const READS: Readonly<Record<string, Read>> = {
  rate_limit: read.rateLimit,
  notify: (text) => ({ emails: read.words(text) }),
  lines: read.creditedLines,
};

type Kind = 'text' | 'flag' | 'number' | 'numbers' | 'list' | 'file';

/** How the values of a member are typed: a null is said with `none`. */
const KINDS: Readonly<
  Record<Kind, { readonly shown: string; readonly read?: Read; readonly orNone?: Read }>
> = {
  text: { shown: 'text', orNone: read.textOrNone },
  flag: { shown: 'true|false', read: read.trueOrFalse },
  number: { shown: 'number', read: read.wholeNumber, orNone: read.wholeNumberOrNone },
  numbers: { shown: 'list', read: read.wholeNumbers },
  list: { shown: 'list', read: read.words },
  file: { shown: 'file', read: read.jsonFile, orNone: read.jsonFileOrNone },
};

/** A member of the query or the body of an operation. */
interface Member {
  readonly in: 'query' | 'body';
  readonly to: string;
  readonly schema: z.ZodType;
}

/** The kind of a text, by the name of its member. */
const TEXTS: Readonly<Record<string, string>> = {
  after: 'cursor',
  as_of: 'time',
  expires_at: 'time',
  from: 'time',
  test_clock: 'time',
  to: 'time',
};

/** The whole body. */
const FILE: Member = {
  in: 'body',
  to: 'file',
  schema: z.looseObject({}).optional().meta({ description: 'All of it as a JSON file.' }),
};

/** The file that is sent as a stream. */
const LOG: CommandArgument = {
  name: '<file>',
  description: 'the log: .jsonl and .ndjson as one JSON object a line, others as CSV',
  in: 'file',
  to: '',
  read: read.logFile,
};

/** The command of an operation; undefined: it has none. */
export function commandOf(operation: Operation): AdminCommand | undefined {
  const { cli, kind, method, path, stream } = operation;
  if (cli === undefined) return undefined;
  const members = membersOf(operation);
  const named = cli.arguments ?? [];
  const args = named.map((name) => argumentOf(name, members));
  const isOption = ({ to }: Member) => !named.includes(to) && (cli.options?.includes(to) ?? true);
  const files = cli.options?.includes(FILE.to) ? [FILE] : [];
  const options = [...members, ...files].filter(isOption).map((one) => optionOf(one, cli));
  return {
    name: cli.name.slice(cli.name.indexOf(' ') + 1),
    description: cli.description,
    example: `${cli.name} ${cli.example}`,
    method: method.toUpperCase() as AdminCommand['method'],
    isChange: kind === 'change',
    path,
    arguments: [...pathNames(path).map(pathArgument), ...args, ...(stream ? [LOG] : [])],
    options,
    ...(cli.columns && { columns: cli.columns }),
    ...(cli.done !== undefined && { done: cli.done }),
  };
}

function membersOf(operation: Operation): Member[] {
  const { body } = operation;
  const ofQuery = queryOf(operation, true).shape;
  const ofBody = body instanceof z.ZodObject ? body.shape : {};
  const members = (place: Member['in'], shape: object) =>
    Object.entries(shape).map(([to, schema]) => ({ in: place, to, schema: schema as z.ZodType }));
  return [...members('body', ofBody), ...members('query', ofQuery)];
}

function pathArgument(to: string): CommandArgument {
  if (to === ACCOUNT) return { name: '<account>', description: ACCOUNT_WORDS, in: 'path', to };
  const { description = '' } = pathParameter(to).meta() ?? {};
  const name = `<${to.replace(/_id$/, '').replaceAll('_', '-')}>`;
  // What follows its first sentence is about paths.
  const [first = ''] = description.split(/(?<=\.) /);
  return { name, description: said(first), in: 'path', to };
}

/** A description in the words of the command line: no stop at its end, `none` for null. */
function said(description: string): string {
  return description
    .replaceAll('`', '')
    .replaceAll(/\bnull\b/gi, 'none')
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase());
}

function argumentOf(to: string, members: readonly Member[]): CommandArgument {
  const member = to === FILE.to ? FILE : members.find((one) => one.to === to);
  if (member === undefined) throw new Error(`No member is called ${to}.`);
  return { name: `<${to.replaceAll('_', '-')}>`, ...given(member) };
}

function optionOf(member: Member, { flags = {} }: CommandLine): CommandOption {
  const { to, schema } = member;
  const { description, ...read } = given(member);
  const isRequired = !schema.safeParse(undefined).success;
  return {
    flags: flags[to] ?? flagsOf(member),
    ...read,
    description: `${description}${isRequired ? ' (required)' : defaultOf(schema)}`,
    isRequired,
  };
}

function flagsOf(member: Member): string {
  if (member.to === ACCOUNT) return '--account <account>';
  return `--${member.to.replaceAll('_', '-')} <${shownValue(member)}>`;
}

function given({ in: place, to, schema }: Member) {
  const { kind, isNullable } = kindOf(schema);
  const typed = isNullable ? (KINDS[kind].orNone ?? KINDS[kind].read) : KINDS[kind].read;
  // A query is text in any case.
  const reading = place === 'query' ? undefined : (READS[to] ?? typed);
  const { description = '' } = schema.meta() ?? {};
  const words = to === ACCOUNT ? `${said(description)}: ${ACCOUNT_WORDS}` : said(description);
  // The whole body has no name in it.
  const name = to === FILE.to ? '' : to;
  return { description: words, in: place, to: name, ...(reading && { read: reading }) };
}

/** The value of an option that is not given, where there is one. */
function defaultOf(schema: z.ZodType): string {
  const words = [schema.safeParse(undefined).data].flat();
  const shown = words.filter((word) => typeof word === 'string' || typeof word === 'number');
  return shown.length === 0 ? '' : ` (default: ${shown.join(',')})`;
}

/** The words that a member takes, where they are few; else what kind of value. */
function shownValue({ to, schema }: Member): string {
  const { main } = kindOf(schema);
  const shown = (schema.meta()?.schema ?? main) as Shape;
  const kind = kindOfShape(shown);
  const text = kind === 'text' ? TEXTS[to] : undefined;
  return shown.enum?.join('|') ?? text ?? KINDS[kind].shown;
}

interface Shape {
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
}

function kindOf(schema: z.ZodType) {
  const { $defs = {}, ...made } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as Shape;
  const shape = followed(made, $defs);
  const shapes = shape.anyOf ?? [shape];
  const main = shapes.find(({ type }) => type !== 'null') ?? shape;
  return { main, kind: kindOfShape(main), isNullable: shapes.some(({ type }) => type === 'null') };
}

/** With the schemas that have a name in the places of their references. */
function followed(shape: Shape, named: Readonly<Record<string, Shape>>): Shape {
  const { $ref, items, anyOf, ...own } = shape;
  if ($ref !== undefined) return followed(named[$ref.slice('#/$defs/'.length)] ?? {}, named);
  return {
    ...own,
    ...(items && { items: followed(items, named) }),
    ...(anyOf && { anyOf: anyOf.map((one) => followed(one, named)) }),
  };
}

function kindOfShape({ type, items }: Shape): Kind {
  if (type === 'integer') return 'number';
  if (type === 'boolean') return 'flag';
  if (type === 'array') return items?.type === 'integer' ? 'numbers' : 'list';
  return type === 'string' || type === undefined ? 'text' : 'file';
}
