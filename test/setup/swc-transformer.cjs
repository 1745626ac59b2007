// Jest on Node 20 cannot require() ES modules, and Nest 12 and its neighbours are nothing else.
// This turns every ES module, those of node_modules included, into CommonJS and leaves CommonJS
// alone.
const { createHash } = require('node:crypto');
const { readFileSync, existsSync } = require('node:fs');
const path = require('node:path');
const swc = require('@swc/core');

const version = `${swc.version}-${readFileSync(__filename, 'utf8').length}`;
const moduleTypes = new Map();

/** The "type" of the package.json that governs a folder, as Node resolves it. */
function moduleType(folder) {
  if (moduleTypes.has(folder)) return moduleTypes.get(folder);
  const manifest = path.join(folder, 'package.json');
  const parent = path.dirname(folder);
  let type = 'commonjs';
  if (existsSync(manifest)) type = JSON.parse(readFileSync(manifest, 'utf8')).type ?? 'commonjs';
  else if (parent !== folder) type = moduleType(parent);
  moduleTypes.set(folder, type);
  return type;
}

function isEsModule(file) {
  if (file.endsWith('.mjs') || file.endsWith('.ts')) return true;
  if (file.endsWith('.cjs')) return false;
  return moduleType(path.dirname(file)) === 'module';
}

module.exports = {
  getCacheKey(source, file) {
    return createHash('sha256').update(`${version}\0${file}\0${source}`).digest('hex');
  },
  process(source, file) {
    if (file.endsWith('.json') || !isEsModule(file)) return { code: source };
    const typescript = file.endsWith('.ts');
    const { code, map } = swc.transformSync(source, {
      filename: file,
      configFile: false,
      swcrc: false,
      sourceMaps: true,
      module: { type: 'commonjs' },
      jsc: {
        target: 'es2023',
        parser: typescript ? { syntax: 'typescript', decorators: true } : { syntax: 'ecmascript' },
        transform: typescript
          ? { legacyDecorator: true, decoratorMetadata: true, hidden: { jest: true } }
          : { hidden: { jest: true } },
        keepClassNames: true,
      },
    });
    return { code, map };
  },
};
