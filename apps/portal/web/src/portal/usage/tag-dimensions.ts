import { useQuery } from '@tanstack/react-query';
import type { Dimension } from '../../rest/answers.js';
import { usageQuery } from '../../rest/queries.js';
import { isTag, type TagDimension } from './usage-search.js';

/**
 * Each tag that calls of a range have, and those that are asked for, in the order of their names.
 * They are read from the calls, so only where they are wanted.
 */
export function useTagDimensions(
  from: string,
  to: string,
  asked: readonly Dimension[],
  isWanted: boolean,
): readonly TagDimension[] {
  const isAsked = asked.some((dimension) => dimension === 'tags' || isTag(dimension));
  const { data } = useQuery({
    ...usageQuery(['tags'], from, to),
    enabled: isWanted || isAsked,
  });
  const names = (data?.items ?? []).flatMap(({ tags }) => Object.keys(tags ?? {}));
  const found = names.map((name): TagDimension => `tag:${name}`);
  return [...new Set([...found, ...asked.filter(isTag)])].toSorted();
}
