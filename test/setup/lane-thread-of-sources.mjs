// The program of a thread that works on lanes, from the sources as they are: jest builds nothing.
import { register } from 'node:module';

register('../simulator/source-hooks.mjs', import.meta.url);
await import('../../libs/ledger/src/lane-threads/lane-thread.ts');
