import type { Command } from 'commander';

const USAGE_EXIT_CODE = 2;

function usageText(command: Command): string {
  const names = [...command.options.map(({ flags }) => flags), '--help'].join(', ');
  const commands = command.commands.map((each) => each.name()).join(', ');
  const lines = [
    `Usage: ${command.createHelp().commandUsage(command)}`,
    ...(commands === '' ? [] : [`Commands: ${commands}`]),
    `Options: ${names}`,
  ];
  return lines.join('\n');
}

/**
 * Ends a program that is used wrongly with 2 and its usage below the fault: scripts distinguish it
 * from 1, a failure. For a whole tree of commands, before it is parsed.
 */
export function endWithUsageCode(command: Command): Command {
  for (const each of command.commands) endWithUsageCode(each);
  return command
    .showHelpAfterError(usageText(command))
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE_EXIT_CODE));
}
