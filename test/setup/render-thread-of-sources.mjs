// The program of a thread that renders documents, from the sources as they are: jest builds nothing.
import { register } from 'node:module';

register('../simulator/source-hooks.mjs', import.meta.url);
await import('../../libs/invoice-documents/src/render-thread.ts');
