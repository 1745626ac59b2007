/** Whole secrets, as none may be printed where logs are kept. */
const SECRETS = new RegExp(
  [
    'pix_(?:live|test)_[A-Za-z0-9]{36}',
    'pixadm_[A-Za-z0-9]{40,}',
    'pix(?:link|ses|con)_[\\w-]{43}',
    'whsec_[A-Za-z0-9+/]{20,}',
  ].join('|'),
  'g',
);

/** Secrets of any kind, and those that are known, in what a process printed. */
export function secretsIn(printed: string, known: readonly string[] = []): string[] {
  const found: string[] = printed.match(SECRETS) ?? [];
  return [...found, ...known.filter((secret) => printed.includes(secret))];
}
