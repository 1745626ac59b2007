// npm run fuzz -- [--requests n] [--seed n] [--port api|accounting] [--only n] [--no-stalls]
import { register } from 'node:module';
import { root, setUp } from '../../bin/set-up.mjs';

process.chdir(root);
await setUp();
register('../simulator/source-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
