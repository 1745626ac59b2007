import type { FastifyRequest } from 'fastify';
import { SignIns } from './sign-ins.js';

let now: number;
let written: object[];
let counted: string[];
let signIns: SignIns;

beforeEach(() => {
  now = 0;
  written = [];
  counted = [];
  const write = (members: object): void => void written.push({ ...members });
  const strangers = { addressOf: (sender: unknown) => String(sender) };
  const records = { count: (_: string, address: string) => void counted.push(address) };
  signIns = new SignIns({ info: write, warn: write }, strangers, records, () => now);
});

function note(address: string, outcome: 'signed-in' | 'sign-in-failed' = 'sign-in-failed'): void {
  signIns.note({ raw: address } as unknown as FastifyRequest, outcome, { door: 'console' });
}

test('failures of an address are written once a minute, with their number at its end', () => {
  for (let guess = 0; guess < 1_000; guess += 1) note('10.0.0.1');
  note('10.0.0.1', 'signed-in');
  expect(written).toEqual([
    { outcome: 'sign-in-failed', address: '10.0.0.1', door: 'console' },
    { outcome: 'signed-in', address: '10.0.0.1', door: 'console' },
  ]);
  now += 60_000;
  note('10.0.0.2');
  expect(written.slice(2)).toEqual([
    { outcome: 'sign-in-failed', address: '10.0.0.1', times: 1_000 },
    { outcome: 'sign-in-failed', address: '10.0.0.2', door: 'console' },
  ]);
});

test('many addresses together fill no log', () => {
  for (let n = 0; n < 5_000; n += 1) note(`10.0.${n >> 8}.${n & 255}`);
  expect(written).toHaveLength(201);
  expect(counted).toHaveLength(5_000);
});
