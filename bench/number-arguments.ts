import { InvalidArgumentError } from 'commander';

/** Reads an argument of a command line: 0 or more. Throws InvalidArgumentError. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number.');
}

/** The same from 1. */
export function positiveInteger(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1.');
}
