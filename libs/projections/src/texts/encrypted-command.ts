import type { Command } from '#account/commands.js';
import type { TextKey } from './text-key.js';

type Tags = Readonly<Record<string, string>>;

/** Whether a command says a free text that its event would hold. */
export function saysText(command: Command): boolean {
  if (command.command === 'make-call') return command.request.tags !== null;
  if (!('origin' in command)) return false;
  return command.origin.reason !== undefined || referenceOf(command) !== null;
}

/** The command with its free texts encrypted; without a key they are not kept. */
export function encryptedCommand(command: Command, key: TextKey | null): Command {
  if (command.command === 'make-call') {
    const { request } = command;
    const tags = request.tags && encryptedTags(request.tags, key);
    return { ...command, request: { ...request, tags } };
  }
  if (!('origin' in command)) return command;
  const encrypt = (text: string): string => key?.encrypt(text) ?? '';
  const { reason } = command.origin;
  const origin =
    reason === undefined ? command.origin : { ...command.origin, reason: encrypt(reason) };
  const encrypted = { ...command, origin } as Command;
  const reference = referenceOf(command);
  if (reference === null || encrypted.command !== 'record-billing') return encrypted;
  const data = { ...encrypted.record.data, reference: encrypt(reference) };
  return { ...encrypted, record: { ...encrypted.record, data } as typeof encrypted.record };
}

function referenceOf(command: Command): string | null {
  if (command.command !== 'record-billing') return null;
  const { record } = command;
  const isPaid = record.type === 'PaymentRecorded' || record.type === 'RefundRecorded';
  return isPaid ? record.data.reference : null;
}

function encryptedTags(tags: Tags, key: TextKey | null): Tags | null {
  if (key === null) return null;
  const encrypted: Record<string, string> = {};
  for (const name in tags) encrypted[key.encrypt(name)] = key.encrypt(tags[name] ?? '');
  return encrypted;
}
