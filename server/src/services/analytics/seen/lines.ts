import { rowsOf } from '../../../engines/spool/index.ts'
import { type JsonObject, objectOf } from '../../../ground/json/object.ts'
import { parseInstant } from '../event/time.ts'
import { groupsOf } from '../groups/change.ts'
import { type Span, widen } from './notes.ts'

/** The distinct ids of events, and the groups that they named as `groupName`, each with when that was. */
export interface SeenInEvents {
  readonly ids: ReadonlyMap<string, Span>
  readonly groups: ReadonlyMap<string, Span>
}

/** The five texts of a line before its instant, the third of them the distinct id (`event/event-line.ts`). */
const head = /^\[(?:"(?:[^"\\]|\\.)*",){2}("(?:[^"\\]|\\.)*"),(?:"(?:[^"\\]|\\.)*",){2}(-?\d+),/
/** Most heads end here; names and ids may be longer, and are not longer than that. */
const usualHead = 512
const longestHead = 8192
/** What begins the names of properties that tell of groups. */
const groupMark = '"$group'
/** The groups of an event, where no value nests: texts that are equal name the same. */
const flatGroups = /"\$groups":\{(?:"(?:[^"\\]|\\.)*"|[^"{}])*\}/y
const longestGroups = 4096

/** A group by its type and key, as one text. */
export const groupName = (type: string, key: string): string => JSON.stringify([type, key])
export const readGroupName = (name: string): readonly [type: string, key: string] => JSON.parse(name)

/**
 * Reads lines of `events`. Properties are parsed only where they tell of groups that are news.
 *
 * @param blocks lines with a newline between them
 * @param isNews whether groups, as they stand in a line, have to be told at an instant
 */
export function seenInLines(
  blocks: readonly Buffer[],
  isNews: (groups: string, span: Span) => boolean = () => true,
): SeenInEvents {
  const ids = new Map<string, Span>()
  const groups = new Map<string, Span>()
  for (const block of blocks) {
    const tellsOfGroups = block.includes(groupMark)
    for (const line of rowsOf(block)) {
      const found =
        head.exec(line.toString('latin1', 0, usualHead)) ?? head.exec(line.toString('latin1', 0, longestHead))
      if (found?.[1] === undefined) continue
      const span = { firstMs: Number(found[2]), lastMs: Number(found[2]) }
      widen(ids, String(JSON.parse(Buffer.from(found[1], 'latin1').toString('utf8'))), span)
      const at = tellsOfGroups ? line.indexOf(groupMark) : -1
      if (at === -1) continue
      const text = flatGroupsAt(line, at)
      if (text === null || isNews(text, span)) tellGroups(groups, line, span)
    }
  }
  return { ids, groups }
}

/** The text of an event's groups, where it is the first that its line tells of groups; null where it must be parsed. */
function flatGroupsAt(line: Buffer, at: number): string | null {
  flatGroups.lastIndex = 0
  return flatGroups.exec(line.toString('latin1', at, at + longestGroups))?.[0] ?? null
}

function tellGroups(groups: Map<string, Span>, line: Buffer, span: Span): void {
  const values: unknown = JSON.parse(line.toString('utf8'))
  if (!Array.isArray(values)) return
  for (const [type, key] of groupsOf(String(values[1]), objectOf(values.at(-1)) ?? {}))
    widen(groups, groupName(type, key), span)
}

/** As `seenInLines`, of rows of `events` as JSON objects. */
export function seenInRows(rows: readonly string[]): SeenInEvents {
  const ids = new Map<string, Span>()
  const groups = new Map<string, Span>()
  for (const row of rows) {
    const { distinct_id: id, timestamp, event, properties } = objectOf(JSON.parse(row)) ?? {}
    const atMs = parseInstant(timestamp)
    if (typeof id !== 'string' || atMs === null) continue
    const span = { firstMs: atMs, lastMs: atMs }
    widen(ids, id, span)
    for (const [type, key] of groupsOf(String(event), propertiesOf(properties)))
      widen(groups, groupName(type, key), span)
  }
  return { ids, groups }
}

const propertiesOf = (properties: unknown): JsonObject =>
  objectOf(typeof properties === 'string' ? JSON.parse(properties) : properties) ?? {}
