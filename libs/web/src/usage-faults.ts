import { InvalidArgumentError, type Command } from 'commander';

type Parse = (value: string | undefined, previous: unknown) => unknown;

/** A method that commander's types leave out: it names an option that is alike, too. */
interface WithUnknownOption {
  unknownOption(flag: string): void;
}

const NEGATIVE_NUMBER = /^-(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/i;
const HELP = new Set(['--help', '-h']);

/**
 * Lets a command gather all that is wrong with what was typed for it, and end with all of it at
 * once, where commander ends with the first fault. For a command with an action, which does not run
 * then; hooks before the action may add faults by `error`.
 */
export function gatherFaults(command: Command): void {
  const faults: string[] = [];
  const end = command.error.bind(command);
  const parseOptions = command.parseOptions.bind(command);
  /** Behind an option that there is not: values of it, or arguments. */
  let unclear: readonly string[] = [];

  command.error = ((message, { code } = {}) => {
    if (code === 'commander.excessArguments' && unclear.length > 0) return;
    faults.push(message);
  }) as Command['error'];

  command.parseOptions = (typed) => {
    const parsed = parseOptions(typed);
    const { flags, words } = unknownIn(parsed.unknown);
    if (flags.length === 0 || flags.some((flag) => HELP.has(flag))) return parsed;
    for (const flag of flags) (command as unknown as WithUnknownOption).unknownOption(flag);
    unclear = words;
    return { operands: [...parsed.operands, ...words], unknown: [] };
  };

  for (const option of command.options) {
    gatherFromParse(option, (value, why) => {
      faults.push(`error: option '${option.flags}' argument '${value}' is invalid. ${why}`);
    });
  }
  for (const argument of command.registeredArguments) {
    gatherFromParse(argument, (value, why) => {
      if (unclear.includes(value)) return;
      const name = argument.name();
      faults.push(`error: value '${value}' is invalid for argument '${name}'. ${why}`);
    });
  }

  command.hook('preAction', () => {
    command.error = end;
    if (faults.length > 0) end(faults.join('\n'));
  });
}

/** Options that there are not, each once, and the other words among them. */
function unknownIn(unknown: readonly string[]) {
  const literal = unknown.indexOf('--');
  const [before, behind] =
    literal === -1 ? [unknown, []] : [unknown.slice(0, literal), unknown.slice(literal + 1)];
  const isFlag = (word: string) => /^-./.test(word) && !NEGATIVE_NUMBER.test(word);
  const flags = before.filter(isFlag).map((word) => word.replace(/=.*$/s, ''));
  const words = before.filter((word) => !isFlag(word));
  return { flags: [...new Set(flags)], words: [...words, ...behind] };
}

/** Reports a value that is refused instead of throwing. */
function gatherFromParse(
  target: { parseArg?: unknown },
  report: (value: string, why: string) => void,
): void {
  const parse = target.parseArg as Parse | undefined;
  if (parse === undefined) return;
  const gathering: Parse = (value, previous) => {
    // An option whose value is missing was reported already.
    if (value === undefined) return undefined;
    try {
      return parse(value, previous);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      report(value, error.message);
      return undefined;
    }
  };
  target.parseArg = gathering;
}
