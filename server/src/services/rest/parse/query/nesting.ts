import type { RestSettings } from '../../settings.ts'
import { tooDeep } from './read-text.ts'
import type { Logic, Query, SelectItem } from './types.ts'

const deepest = (depths: readonly number[]): number => depths.reduce((most, depth) => Math.max(most, depth), 0)

const depthOfItems = (items: readonly SelectItem[]): number =>
  deepest(items.map((item) => (item.kind === 'embed' ? 1 + depthOfItems(item.items) : 0)))

const depthOfLogic = (logic: Logic): number =>
  logic.kind === 'tree' ? 1 + deepest(logic.members.map(depthOfLogic)) : 0

/**
 * Refuses what nests deeper than the setting allows: every level costs a join or a pair of parentheses, here and in
 * PostgreSQL.
 *
 * @throws PGRST100
 */
export function refuseDeep(query: Query, { nestingLimit: limit }: Pick<RestSettings, 'nestingLimit'>): void {
  const depth = Math.max(depthOfItems(query.select), deepest(query.logic.map(({ value }) => depthOfLogic(value))))
  if (depth > limit) throw tooDeep(`Embeds and conditions may nest ${limit} levels deep.`)
}
