import { maskedText } from '../../../../ground/privacy/masks.ts'
import { nameKey } from '../../cache/schema-cache.ts'
import { mayChange } from '../changes/check.ts'
import type { PastChange, RowChange, UndoProblem } from '../schemas.ts'
import type { DataTable } from '../table-catalogue.ts'
import type { TextValues } from '../text-values.ts'
import { inOrderOfReferences } from './reference-order.ts'

/** What takes changes back, and the rows of which it cannot be done. */
export interface UndoPlan {
  readonly changes: readonly RowChange[]
  readonly problems: readonly UndoProblem[]
}

/** A row from before the first of some changes to after the last one. */
interface RowStory {
  readonly table: DataTable
  /** Null where the row was not there. Columns whose values are not known are absent. */
  readonly before: TextValues | null
  readonly after: TextValues | null
  /** Whether a column was changed whose value before is not known. */
  readonly isLost: boolean
}

/**
 * Plans the changes that bring rows back to how they were: each row once, however often it changed. They expect the row
 * as the last change left it, so that what came later is met as a conflict. Rows are made again before others refer to
 * them, and removed after.
 *
 * @param past   in the order in which they were made
 * @param tables by `nameKey`
 */
export function planUndo(past: readonly PastChange[], tables: ReadonlyMap<string, DataTable>): UndoPlan {
  const problems: UndoProblem[] = []
  const stories = new Map<string, RowStory>()
  for (const change of past) {
    const { schema, table: name, key } = change
    const table = tables.get(nameKey({ schema, name }))
    const reason = change.operation === 'truncate' ? 'truncated' : table === undefined ? 'table gone' : null
    if (table === undefined || reason !== null) {
      problems.push({ schema, table: name, key, reason: reason ?? 'table gone' })
      continue
    }
    if (table.key.length === 0) problems.push({ schema, table: name, key, reason: 'no key' })
    else tell(stories, table, change)
  }
  const planned = [...stories.values()].map(planWritableRow)
  for (const one of planned) if ('reason' in one) problems.push(one)
  return { changes: ordered(planned.filter(isChange), tables), problems }
}

/** Adds a change to the story of its row, which is known by the key that it has at the time. */
function tell(stories: Map<string, RowStory>, table: DataTable, change: PastChange): void {
  const { operation, key, columns = [] } = change
  const [old, next] = [knownOf(change.old), knownOf(change.new)]
  const formerKey = operation === 'update' ? { ...key, ...pick(old, table.key) } : key
  const place = storyKey(table, formerKey)
  const known = stories.get(place)
  stories.delete(place)
  const after = operation === 'delete' ? null : { ...(known?.after ?? {}), ...next }
  const first = operation === 'insert' ? null : { ...old, ...formerKey }
  // A column that no change before this one has touched is as this one found it.
  const before = known === undefined ? first : known.before === null ? null : { ...(first ?? {}), ...known.before }
  const isUnknown = (name: string): boolean =>
    before !== null && !(name in before) && table.columns.get(name)?.generated === false
  const isLost = known?.isLost === true || columns.some(isUnknown)
  stories.set(storyKey(table, key), { table, before, after, isLost })
}

/** What stands in place of a masked value is no value. */
const knownOf = (values: TextValues | null): TextValues =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== maskedText))

const storyKey = (table: DataTable, key: TextValues): string =>
  JSON.stringify([table.schema, table.name, table.key.map((name) => key[name] ?? null)])

const pick = (values: TextValues, names: readonly string[]): { [column: string]: string | null } =>
  Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name] ?? null]] : [])))

/** Nothing where the row is as it was. */
type PlannedRow = RowChange | UndoProblem | { readonly kind?: never }

const isChange = (planned: PlannedRow): planned is RowChange => 'kind' in planned

/** What brings one row back, where its table can be written so. */
function planWritableRow(story: RowStory): PlannedRow {
  const planned = planRow(story)
  if (!isChange(planned) || mayChange(story.table, planned.kind)) return planned
  const { schema, name: table, key } = story.table
  return {
    schema,
    table,
    key: pick(planned.kind === 'insert' ? planned.values : planned.key, key),
    reason: 'read only',
  }
}

function planRow({ table, before, after, isLost }: RowStory): PlannedRow {
  const place = { schema: table.schema, table: table.name }
  const isHidden = (name: string): boolean => table.secrets.has(name) || table.masked.has(name)
  const written = [...table.columns.values()].filter(({ name, generated }) => !generated && !isHidden(name))
  const names = written.map(({ name }) => name)
  const keyOf = (values: TextValues) => pick(values, table.key)
  if (before === null) {
    if (after === null) return {}
    return { ...place, kind: 'delete', key: keyOf(after), old: pick(after, names) }
  }
  if (after === null) {
    const missing = written.some(({ name, nullable, default: expression }) =>
      name in before ? false : !nullable && expression === null,
    )
    const isOnlyKey =
      names.length > table.key.length && names.every((name) => table.key.includes(name) || !(name in before))
    // A row that came back without what is hidden here would look whole.
    if (missing || isOnlyKey || [...table.columns.keys()].some(isHidden))
      return { ...place, key: keyOf(before), reason: 'values not known' }
    return { ...place, kind: 'insert', values: pick(before, names) }
  }
  const changed = names.filter((name) => name in after && name in before && after[name] !== before[name])
  const unknown = names.some((name) => name in after && !(name in before))
  if (isLost || changed.length === 0)
    return isLost || unknown ? { ...place, key: keyOf(after), reason: 'values not known' } : {}
  return {
    ...{ ...place, kind: 'update', key: keyOf(after), defaults: [] },
    old: pick(after, changed),
    values: pick(before, changed),
  }
}

/** Rows come back, those that others refer to first; values change; rows go, those that refer to others first. */
function ordered(changes: readonly RowChange[], tables: ReadonlyMap<string, DataTable>): readonly RowChange[] {
  const of = <Kind extends RowChange['kind']>(kind: Kind) =>
    changes.filter((change): change is Extract<RowChange, { kind: Kind }> => change.kind === kind)
  const tableOf = ({ schema, table: name }: RowChange) => tables.get(nameKey({ schema, name }))
  return [
    ...inOrderOfReferences(of('insert'), ({ values }) => values, tableOf),
    ...of('update').toReversed(),
    ...inOrderOfReferences(of('delete'), ({ old }) => old, tableOf).toReversed(),
  ]
}
