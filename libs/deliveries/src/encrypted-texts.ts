import type { Change } from '#deciding/changes/change.js';
import type { TextKeys } from '#projections/texts/text-keys.js';

/** A text as events of the system hold it: encrypted with the key of its account, if it has one. */
export async function encryptedText(
  texts: TextKeys,
  accountId: string | null,
  text: string,
): Promise<string> {
  return accountId === null ? text : texts.encrypt(accountId, text);
}

/** The change with its reason encrypted likewise. */
export async function withEncryptedReason(
  texts: TextKeys,
  accountId: string | null,
  change: Change,
): Promise<Change> {
  const { reason } = change;
  if (reason === undefined) return change;
  return { ...change, reason: await encryptedText(texts, accountId, reason) };
}
