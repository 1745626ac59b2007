import type { Command } from 'commander';

const USAGE_EXIT_CODE = 2;

function usageText(command: Command): string {
  const names = [...command.options.map(({ flags }) => flags), '--help'].join(', ');
  return `Usage: ${command.createHelp().commandUsage(command)}\nOptions: ${names}`;
}

/**
 * What is typed wrongly ends a program with 2 and its usage below the fault: scripts tell it apart
 * from 1, what could not be done. For a whole tree of commands, before it is parsed.
 */
export function endWithUsageCode(command: Command): Command {
  for (const each of command.commands) endWithUsageCode(each);
  return command
    .showHelpAfterError(usageText(command))
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE_EXIT_CODE));
}
