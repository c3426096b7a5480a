import type { OperatorRight } from '../../ground/model/operator-actions.ts'

/** What can be found; screens, settings and actions are known to the console itself. */
export const hitKinds = ['request', 'person', 'user', 'session', 'row'] as const

/** Something that was found. */
export interface Hit {
  /** Its id; of a row, its key as text. */
  readonly id: string
  readonly title: string
  readonly detail: string | null
  /** Of a row. */
  readonly table?: { readonly schema: string; readonly name: string; readonly column: string }
}

/** A room that knows things by a text. */
export interface SearchSource {
  readonly kind: (typeof hitKinds)[number]
  /** Who may know that they are there. */
  readonly right: OperatorRight
  find(text: string, limit: number): Promise<readonly Hit[]>
}

/** What is found of one kind. */
export interface HitGroup {
  readonly kind: SearchSource['kind']
  readonly hits: readonly Hit[]
}

/** What a search came to. */
export interface Found {
  readonly groups: readonly HitGroup[]
  /** Kinds that were not looked through: their room failed, or took too long. */
  readonly missed: readonly SearchSource['kind'][]
}

/** What a search needs. */
export interface SearchDeps {
  readonly sources: readonly SearchSource[]
  /** Milliseconds after which a room is not waited for. */
  readonly waitMs: number
}

const perKind = 6

/** Asks every room that the operator may look into, all at once, and waits for none longer than the others may take. */
export const createSearch =
  ({ sources, waitMs }: SearchDeps) =>
  async (text: string, may: (right: OperatorRight) => boolean): Promise<Found> => {
    const asked = sources.filter(({ right }) => may(right))
    const found = await Promise.all(asked.map((source) => findWithin(source, text, waitMs)))
    return {
      groups: asked.flatMap(({ kind }, index) => {
        const hits = found[index] ?? []
        return hits.length === 0 ? [] : [{ kind, hits: hits.slice(0, perKind) }]
      }),
      missed: asked.flatMap(({ kind }, index) => (found[index] === null ? [kind] : [])),
    }
  }

/** @returns null where the room fails, or takes too long */
async function findWithin(source: SearchSource, text: string, waitMs: number): Promise<readonly Hit[] | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, waitMs, null)
  })
  const found = source.find(text, perKind).catch(() => null)
  const first = await Promise.race([found, late])
  clearTimeout(timer)
  return first
}
