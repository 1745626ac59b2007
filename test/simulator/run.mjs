// node test/simulator/run.mjs [--seeds n] [--from n] [--jobs n] | --seed n [--without i,j] [--plant
// n]
import { register } from 'node:module';

register('./source-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
