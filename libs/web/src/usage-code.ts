import type { Command } from 'commander';
import { gatherFaults } from './usage-faults.js';

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
 * Ends a program that is used wrongly with 2, all its faults and its usage below them: scripts
 * distinguish it from 1, a failure. For a whole tree of commands, before it is parsed; each that
 * has none below it needs an action.
 */
export function endWithUsageCode(command: Command): Command {
  for (const each of command.commands) endWithUsageCode(each);
  command
    .showHelpAfterError(usageText(command))
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE_EXIT_CODE));
  if (command.commands.length === 0) gatherFaults(command);
  return command;
}
