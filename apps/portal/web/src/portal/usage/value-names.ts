import { useQuery } from '@tanstack/react-query';
import { shortDay, tuesdayOf, weekday } from '../../format/days.js';
import { RESOURCE_NAMES, RESOURCES } from '#rating/resource.js';
import { describePath } from '../../format/resource-path.js';
import { useItemName } from '../resource-name.js';
import { NO_VALUE } from './url-series.js';
import { isTag, tagNameOf } from './usage-search.js';
import type { Dimension } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';

/** The label of the running window in a path. */
const LATEST = 'latest';

/** Finds the words for a value of a dimension. */
export function useValueName(): (dimension: Dimension, value: string) => string {
  const { data: keys } = useQuery(all(portal.listApiKeys()));
  const itemName = useItemName();
  return (dimension, value) => {
    if (isTag(dimension)) return value === NO_VALUE ? `no ${tagNameOf(dimension)}` : value || 'any';
    if (value === NO_VALUE) return dimension === 'tags' ? 'no tags' : value;
    switch (dimension) {
      case 'day':
        return `${weekday(value)} ${shortDay(value)}`;
      case 'window':
        return `${value} (${shortDay(tuesdayOf(value))})`;
      case 'api_key':
        return keys?.find(({ id }) => id === value)?.label ?? value.slice(0, 8);
      case 'resource':
        return resourceLabel(value);
      case 'region':
        return value.length === 2 ? value.toUpperCase() : value;
      case 'key': {
        const { title, details, window } = describePath(value, itemName);
        return [title, details, ...(window === LATEST ? [] : [window])].join(' · ');
      }
      case 'month':
      case 'rule':
      case 'kind':
      case 'tags':
        return value;
    }
  };
}

function resourceLabel(value: string): string {
  const name = RESOURCE_NAMES.find((known) => known === value);
  return name === undefined ? value : RESOURCES[name].label;
}
