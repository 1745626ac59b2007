/** API keys, tokens, links, cookies and webhook secrets, each behind the prefix of its kind. */
const SECRETS = /\b(pix_live_|pix_test_|pixadm_|pixlink_|pixses_|pixcon_|whsec_)[A-Za-z0-9+/=_-]+/g;
const BEARER = /\b(bearer\s+)[^\s"\\]+/gi;
const PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*:)[^\s/@"]+@/gi;

/**
 * A line of the log without secrets, `known` ones included. Nothing is meant to log any; this is
 * for the message of some library that repeats what it was given.
 */
export function redacted(line: string, known: readonly string[] = []): string {
  const shown = line
    .replaceAll(BEARER, '$1…')
    .replaceAll(SECRETS, '$1…')
    .replaceAll(PASSWORD, '$1…@');
  return known.reduce((text, secret) => text.replaceAll(secret, '…'), shown);
}
