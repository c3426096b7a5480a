import type { Sql } from '../../../engines/postgres/index.ts'
import type { Operator } from '../accounts/store.ts'
import { hasRight } from '../audit/actions.ts'
import { operatorsError } from '../errors.ts'
import type { OperatorsSettings } from '../settings.ts'
import { deleteView, findView, findViews, insertView, type SessionView, updateView, type ViewDraft } from './store.ts'

export interface ViewsDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: Pick<OperatorsSettings, 'sessionViews'>
}

/** A view as one operator sees it. */
export interface SeenView extends SessionView {
  /** Whether they may change and delete it. */
  readonly isMine: boolean
}

/**
 * Named filters of the list of sessions. An operator sees their own and the team's; the team's are changed by who made them
 * and by those who may change things. Those that take an id throw CLEW_OPERATORS_NOT_FOUND for a view that is not seen.
 */
export interface Views {
  /** By name. */
  list(operator: Operator): Promise<readonly SeenView[]>
  find(operator: Operator, id: string): Promise<SeenView>
  /** @returns its id. @throws CLEW_OPERATORS_TOO_MANY_VIEWS */
  create(operator: Operator, draft: ViewDraft): Promise<string>
  /** A view that is shared no more is its changer's. @throws CLEW_OPERATORS_FORBIDDEN, CLEW_OPERATORS_TOO_MANY_VIEWS */
  change(operator: Operator, id: string, draft: ViewDraft): Promise<void>
  /** @throws CLEW_OPERATORS_FORBIDDEN */
  remove(operator: Operator, id: string): Promise<void>
}

/** The views of all operators, in their table. */
export function createViews({ sql, now, newId, settings }: ViewsDeps): Views {
  const seenBy = (operator: Operator, view: SessionView): SeenView => ({
    ...view,
    isMine: !view.isShared || view.createdBy === operator.email || hasRight(operator.role, 'change'),
  })
  const find = async (operator: Operator, id: string): Promise<SeenView> => {
    const view = await findView(sql, operator.id, id)
    if (view === undefined) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
    return seenBy(operator, view)
  }
  const findMine = async (operator: Operator, id: string): Promise<void> => {
    if (!(await find(operator, id)).isMine) throw operatorsError('CLEW_OPERATORS_FORBIDDEN')
  }
  const ownerOf = (operator: Operator, { isShared }: Pick<ViewDraft, 'isShared'>): string | null =>
    isShared ? null : operator.id
  return {
    list: async (operator) => (await findViews(sql, operator.id)).map((view) => seenBy(operator, view)),
    find,
    async create(operator, { name, search, isShared }) {
      const id = newId()
      const operatorId = ownerOf(operator, { isShared })
      const view = { id, operatorId, createdBy: operator.email, name, search, at: now() }
      if (!(await insertView(sql, view, settings.sessionViews))) throw operatorsError('CLEW_OPERATORS_TOO_MANY_VIEWS')
      return id
    },
    async change(operator, id, draft) {
      await findMine(operator, id)
      const view = { id, operatorId: ownerOf(operator, draft), name: draft.name, search: draft.search }
      if (!(await updateView(sql, view, settings.sessionViews))) throw operatorsError('CLEW_OPERATORS_TOO_MANY_VIEWS')
    },
    async remove(operator, id) {
      await findMine(operator, id)
      await deleteView(sql, id)
    },
  }
}
