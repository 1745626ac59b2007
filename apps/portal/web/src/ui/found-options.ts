import type { OptionsFilter } from '@mantine/core';
import { holdsWords } from '#rating/folded-text.js';

/** Options of a list whose labels hold what was typed. */
export const foundOptions: OptionsFilter = ({ options, search, limit }) =>
  options
    .filter((one) => search.trim() === '' || ('label' in one && holdsWords(one.label, search)))
    .slice(0, limit);
