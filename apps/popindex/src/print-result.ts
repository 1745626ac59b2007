/** Prints the result of a command: `value` as JSON, or `text`. */
export function printResult(json: boolean, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
}
