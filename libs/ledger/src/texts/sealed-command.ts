import type { Command } from '#account/commands.js';
import type { TextKey } from './text-key.js';

type Tags = Readonly<Record<string, string>>;

/** Whether a command says a free text that its event would hold. */
export function saysText(command: Command): boolean {
  if (command.command === 'make-call') return command.request.tags !== null;
  if (!('origin' in command)) return false;
  return command.origin.reason !== undefined || referenceOf(command) !== null;
}

/** The command with its free texts sealed; without a key they are not kept. */
export function sealedCommand(command: Command, key: TextKey | null): Command {
  if (command.command === 'make-call') {
    const { request } = command;
    const tags = request.tags && sealedTags(request.tags, key);
    return { ...command, request: { ...request, tags } };
  }
  if (!('origin' in command)) return command;
  const seal = (text: string): string => key?.seal(text) ?? '';
  const { reason } = command.origin;
  const origin =
    reason === undefined ? command.origin : { ...command.origin, reason: seal(reason) };
  const sealed = { ...command, origin } as Command;
  const reference = referenceOf(command);
  if (reference === null || sealed.command !== 'record-billing') return sealed;
  const data = { ...sealed.record.data, reference: seal(reference) };
  return { ...sealed, record: { ...sealed.record, data } as typeof sealed.record };
}

function referenceOf(command: Command): string | null {
  if (command.command !== 'record-billing') return null;
  const { record } = command;
  return record.type === 'PaymentRecorded' ? record.data.reference : null;
}

function sealedTags(tags: Tags, key: TextKey | null): Tags | null {
  if (key === null) return null;
  const sealed: Record<string, string> = {};
  for (const name in tags) sealed[key.seal(name)] = key.seal(tags[name] ?? '');
  return sealed;
}
