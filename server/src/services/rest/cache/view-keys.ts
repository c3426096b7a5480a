import type { CatalogueEnd, CatalogueView } from './catalogue.ts'
import type { QualifiedName } from './schema-cache.ts'
import { type KnownViews, viewOrigins } from './view-origins.ts'

interface ViewColumn {
  readonly view: CatalogueView
  readonly name: string
}

/** Which columns of views show which columns of tables, through any number of views. */
export interface ViewColumns {
  /** For the columns of one end of a key: each view that shows them all, with every choice of its columns. */
  shown(
    end: CatalogueEnd,
  ): readonly { readonly view: QualifiedName; readonly choices: readonly (readonly string[])[] }[]
  /** What was read of the views, to be handed in the next time: their trees are long. */
  readonly known: KnownViews
}

const place = (relation: number, column: number): string => `${relation}.${column}`

const everyChoice = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  lists.reduce<readonly (readonly string[])[]>(
    (choices, list) => choices.flatMap((choice) => list.map((name) => [...choice, name])),
    [[]],
  )

/** Follows the columns of views down to those of tables. */
export function followViews(views: readonly CatalogueView[], before: KnownViews): ViewColumns {
  const byOid = new Map(views.map((view) => [view.oid, view]))
  const known = new Map(
    views.map(({ version, tree }) => [version, tree === null ? (before.get(version) ?? []) : viewOrigins(tree)]),
  )
  const origins = new Map(views.map(({ oid, version }) => [oid, known.get(version) ?? []]))
  const shownBy = new Map<string, ViewColumn[]>()

  const reach = (
    view: CatalogueView,
    name: string,
    relation: number,
    column: number,
    seen: readonly number[],
  ): void => {
    const at = place(relation, column)
    shownBy.set(at, [...(shownBy.get(at) ?? []), { view, name }])
    if (!byOid.has(relation) || seen.includes(relation)) return
    for (const next of origins.get(relation) ?? []) {
      if (next.column === column) reach(view, name, next.relation, next.relationColumn, [...seen, relation])
    }
  }

  for (const view of views) {
    for (const origin of origins.get(view.oid) ?? []) {
      const name = view.columns[String(origin.column)]
      if (name !== undefined) reach(view, name, origin.relation, origin.relationColumn, [view.oid])
    }
  }

  return {
    shown(end) {
      const perColumn = end.columns.map(({ number }) => shownBy.get(place(end.oid, number)) ?? [])
      const first = [...new Set((perColumn[0] ?? []).map(({ view }) => view))]
      return first
        .map((view) => ({
          view: { schema: view.schema, name: view.name },
          choices: everyChoice(
            perColumn.map((columns) => columns.filter((column) => column.view === view).map(({ name }) => name)),
          ),
        }))
        .filter(({ choices }) => choices.length > 0)
    },
    known,
  }
}
