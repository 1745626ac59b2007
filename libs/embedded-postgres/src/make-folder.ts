import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder for its owner alone, and those above it. Node's own way of doing so never comes
 * back from a place like /proc, where nothing can be made and nothing says so. Throws what mkdir
 * does.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) makeFolder(above);
  mkdirSync(folder, { mode: 0o700 });
}
