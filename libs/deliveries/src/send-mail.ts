import { createTransport } from 'nodemailer';

/** The content of an e-mail. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  /** The same as a page. */
  readonly html?: string;
  /** Its language, if it is not English. */
  readonly language?: string;
  /** Who gets answers; the sender unless given. */
  readonly replyTo?: string;
  readonly attachments?: readonly Attachment[];
}

/** A file in an e-mail. */
export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** An e-mail and its address, or why it can never be sent. */
export type MailToSend =
  | { readonly address: string; readonly mail: Mail }
  | { readonly unsendable: string }
  /** It is not to be sent any more. */
  | { readonly isOver: true };

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password where they are needed. */
  readonly smtpUrl: string;
  readonly from: string;
}

export type MailResult =
  | { readonly outcome: 'sent' }
  /** `isFinal`: the server refuses that address for good. */
  | { readonly outcome: 'unsent'; readonly detail: string; readonly isFinal: boolean };

const CONNECT_MS = 10_000;
const SILENCE_MS = 10_000;
const TOTAL_MS = 15_000;

/**
 * Hands one e-mail to the mail server for one address. `id` names the message, so that a
 * duplicate can be recognized. Never throws.
 */
export async function sendMail(
  { smtpUrl, from }: MailSettings,
  address: string,
  { language, replyTo, attachments = [], ...content }: Mail,
  id: string,
): Promise<MailResult> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The mail server took too long.')), TOTAL_MS);
  });
  const sent = transport.sendMail({
    from,
    // As an object it is one address, whatever it holds.
    to: { name: '', address },
    ...content,
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    attachments: [...attachments],
    messageId: `<${id}@${domainOf(from)}>`,
    headers: {
      'auto-submitted': 'auto-generated',
      ...(language !== undefined && { 'content-language': language }),
    },
  });
  try {
    await Promise.race([sent, late]);
    return { outcome: 'sent' };
  } catch (error) {
    return unsent(error);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

/** The domain of `Popindex <billing@example.com>`. */
function domainOf(from: string): string {
  return from.slice(from.lastIndexOf('@') + 1).replace(/[>\s].*$/, '');
}

/** Its words are not kept: they may name the address. */
function unsent(error: unknown): MailResult {
  const { code, responseCode, command } = error as Readonly<Record<string, unknown>>;
  if (typeof responseCode === 'number') {
    // A refused login or sender is for the operator to correct; a refused address stays refused.
    const isFinal = responseCode >= 500 && command === 'RCPT TO';
    return { outcome: 'unsent', detail: `The mail server answered ${responseCode}.`, isFinal };
  }
  if (code === 'EENVELOPE') {
    return { outcome: 'unsent', detail: 'This is no e-mail address.', isFinal: true };
  }
  const why = typeof code === 'string' ? ` (${code})` : ' in time';
  return { outcome: 'unsent', detail: `The mail server did not answer${why}.`, isFinal: false };
}
