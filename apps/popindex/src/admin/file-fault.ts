const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'this may not be read',
};

/** Why a file could not be read as what it should be, for who has named it. */
export function fileFault(error: unknown): string {
  if (error instanceof SyntaxError) return `this is no JSON: ${error.message}`;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}
