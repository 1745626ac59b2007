import path from 'node:path';
import { readConfiguration } from './configuration.js';
import { VARIABLES, type VariableName } from './configuration-variables.js';
import GUIDE from './settings-guide.json' with { type: 'json' };

/** A setting as the page for operators explains it. */
interface SettingGuide {
  readonly meaning: string;
  /** Default in words, where it follows from other settings or depends on the process. */
  readonly byDefault?: string;
}

/** Every setting once, by section, in the order of the page. */
export const SETTING_SECTIONS: Readonly<
  Record<string, Partial<Readonly<Record<VariableName, SettingGuide>>>>
> = GUIDE;

const HEAD = `# Settings

All settings are environment variables. A wrong or missing one stops the start; a line names it and
says what it takes. So does one that has no effect without another one: \`MAIL_FROM\` and \`SMTP_URL\`
take each other, every \`OIDC_…\` takes \`OIDC_ISSUER\`, and \`MIGRATION_DATABASE_URL\` takes
\`DATABASE_URL\`. An unknown name is ignored.

\`npm run release-documents\` writes this page from the settings of the code. Do not edit it.
`;

const DATA_DIR = path.resolve('.data');

/** Defaults of a process that has no settings, by the names of the configuration. */
const DEFAULTS = new Map<string, unknown>(
  Object.entries(readConfiguration('standalone', { DATA_DIR })),
);

/** `API_PORT` → `apiPort`; undefined where the configuration has no member of that name. */
function defaultOf(name: VariableName): unknown {
  const property = name
    .toLowerCase()
    .replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const value = DEFAULTS.get(property);
  return value === DATA_DIR ? path.basename(DATA_DIR) : value;
}

function defaultText(name: VariableName): string {
  const value = defaultOf(name);
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain ? `\`${value as string | number | boolean}\`` : 'none';
}

function entry(name: VariableName, { meaning, byDefault }: SettingGuide): string {
  const { takes } = VARIABLES[name];
  return [
    `- **\`${name}\`**: ${meaning}`,
    `  - takes ${takes.replaceAll('*', '\\*')}`,
    `  - default: ${byDefault ?? defaultText(name)}`,
  ].join('\n');
}

/** The page `docs/settings.md`: every setting, by section, with what it takes and its default. */
export function settingsPage(): string {
  const sections = Object.entries(SETTING_SECTIONS).map(([title, settings]) => {
    const entries = Object.entries(settings) as [VariableName, SettingGuide][];
    return `## ${title}\n\n${entries.map(([name, guide]) => entry(name, guide)).join('\n')}\n`;
  });
  return [HEAD, ...sections].join('\n');
}
