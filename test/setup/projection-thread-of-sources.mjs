// The program of a thread that keeps projections, from the sources as they are: jest builds nothing.
import { register } from 'node:module';

register('../simulator/source-hooks.mjs', import.meta.url);
await import('../../libs/ledger/src/projection-thread/projection-program.ts');
