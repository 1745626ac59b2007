import {
  DEFAULT_THEME,
  convertCssVariables,
  createTheme,
  defaultCssVariablesResolver,
  mergeMantineTheme,
  type MantineColorsTuple,
} from '@mantine/core';

const pine: MantineColorsTuple = [
  '#eef8f5',
  '#d9efe8',
  '#b2ded2',
  '#86cbb9',
  '#5cb8a2',
  '#3da28a',
  '#228470',
  '#176c5c',
  '#12574a',
  '#0c4239',
];

const dark: MantineColorsTuple = [
  '#dfe3e7',
  '#bcc3ca',
  '#98a1ab',
  '#6c7681',
  '#3b434c',
  '#2b3138',
  '#1f242a',
  '#15181c',
  '#101316',
  '#0b0d0f',
];

const FONT =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

/** Locking the scroll would insert a style element, which the Content-Security-Policy refuses. */
const OVERLAY = { defaultProps: { lockScroll: false } };

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, dark },
  autoContrast: true,
  fontFamily: FONT,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: { Modal: OVERLAY, Drawer: OVERLAY },
});

/** Contrast of at least 4.5 to 1 on every surface of the page. */
const READABLE = {
  light: {
    '--mantine-color-dimmed': '#56616c',
    '--mantine-color-placeholder': '#6b7580',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-text': '#171c21',
  },
  dark: {
    '--mantine-color-dimmed': '#a0a9b3',
    '--mantine-color-placeholder': '#8a939d',
    '--mantine-color-error': '#ff9b90',
    '--mantine-color-text': '#e4e8ec',
  },
};

/** A constructed sheet, because the Content-Security-Policy allows no style element. */
export function adoptTheme(): void {
  const resolved = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  const css = convertCssVariables(
    {
      variables: resolved.variables,
      light: { ...resolved.light, ...READABLE.light },
      dark: { ...resolved.dark, ...READABLE.dark },
    },
    ':root',
  );
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
