import type { Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type {
  ConsoleRequest,
  OperatorActions,
  OperatorRight,
  RequestAction,
} from '../../../ground/model/operator-actions.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { Operator, OperatorRole } from '../accounts/store.ts'
import { operatorsError } from '../errors.ts'
import { requireRecentProof } from '../factors/identity-proof.ts'
import { clientOf } from '../sessions/client.ts'
import type { Sessions } from '../sessions/sessions.ts'
import {
  type ActionsQuery,
  deleteActionsBefore,
  endAction,
  findActionNames,
  findActions,
  findActionsOfRequests,
  findLastDone,
  insertAction,
  insertLook,
  type LoggedAction,
} from './store.ts'

export interface ActionsDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly authenticate: Sessions['authenticate']
  /** Seconds for which a proof of identity holds. */
  readonly proofSeconds: number
  /** Days for which entries are kept. */
  readonly auditDays: number
}

/** The audit log of the console, and the rights of operators. */
export interface Actions extends OperatorActions {
  /** A page of the log, newest first. @throws CLEW_OPERATORS_FORBIDDEN for all but owners */
  list(
    request: ConsoleRequest,
    query: ActionsQuery,
  ): Promise<{ readonly actions: readonly LoggedAction[]; readonly next: string | null }>
  /** The operators and the actions that the log knows. @throws CLEW_OPERATORS_FORBIDDEN for all but owners */
  names(request: ConsoleRequest): ReturnType<typeof findActionNames>
  /** When an action was last done with success, by its target. */
  lastDone(action: string): Promise<ReadonlyMap<string, Date>>
  /** Logs what the instance did by itself, and what made it. */
  note(action: { readonly name: string; readonly target: string; readonly by: string }): Promise<void>
  /** Deletes the entries that are older than the setting keeps them. */
  forgetOld(): Promise<void>
  /** What requests of the console were made for, by their ids; without those that the log does not know. */
  ofRequests(requestIds: readonly string[]): Promise<ReadonlyMap<string, RequestAction>>
}

const rights: Readonly<Record<OperatorRole, ReadonlySet<OperatorRight>>> = {
  owner: new Set<OperatorRight>(['look', 'read data', 'change', 'reveal', 'grant', 'protect', 'manage team', 'query']),
  developer: new Set<OperatorRight>(['look', 'read data', 'change', 'query']),
  analyst: new Set<OperatorRight>(['look']),
  viewer: new Set<OperatorRight>(),
}

/** Whether operators of a role have a right. */
export const hasRight = (role: OperatorRole, right: OperatorRight): boolean => rights[role].has(right)

export function createActions({ sql, now, newId, authenticate, proofSeconds, auditDays }: ActionsDeps): Actions {
  const may = (request: ConsoleRequest, right: OperatorRight): boolean =>
    hasRight(request.getDecorator<Operator>('operator').role, right)
  const check = (request: ConsoleRequest, right: OperatorRight): void => {
    if (!may(request, right)) throw operatorsError('CLEW_OPERATORS_FORBIDDEN')
  }
  const begun = (request: ConsoleRequest) => ({
    id: newId(),
    at: now(),
    requestId: request.getDecorator<RequestContext>('requestContext').id,
    operator: request.getDecorator<Operator>('operator'),
    address: clientOf(request).address,
  })
  return {
    check,
    may,
    async look(request, { name, target, about = [] }) {
      const look = { ...begun(request), action: name, target, about: idsOf(about) }
      await insertLook(sql, look, oneLookMs)
    },
    async run(request, { name, target, right = 'change', needsProof = false, about = [] }, perform) {
      if (right !== null) check(request, right)
      // Only a session knows of proofs: an access token has none.
      if (needsProof) requireRecentProof((await authenticate(clientOf(request))).session, now(), proofSeconds * 1000)
      const action = { ...begun(request), action: name, target, about: idsOf(about) }
      const { id } = action
      await insertAction(sql, action)
      let value: Awaited<ReturnType<typeof perform>>
      try {
        value = await perform()
      } catch (error) {
        await endAction(sql, id, problemOf(error))
        throw error
      }
      await endAction(sql, id, null)
      return value
    },
    lastDone: (action) => findLastDone(sql, action),
    async note({ name, target, by }) {
      const action = { id: newId(), at: now(), action: name, target, about: [], requestId: '', address: '' }
      await insertAction(sql, { ...action, operator: { ...noOperator, email: by } })
      await endAction(sql, action.id, null)
    },
    async list(request, query) {
      check(request, 'reveal')
      const { limit } = query
      const found = await findActions(sql, { ...query, limit: limit + 1 })
      const actions = found.slice(0, limit)
      return { actions, next: found.length > limit ? (actions.at(-1)?.id ?? null) : null }
    },
    async names(request) {
      check(request, 'reveal')
      return findActionNames(sql)
    },
    async forgetOld() {
      await deleteActionsBefore(sql, new Date(now().getTime() - auditDays * 86_400_000))
    },
    ofRequests: async (requestIds) => (requestIds.length === 0 ? new Map() : findActionsOfRequests(sql, requestIds)),
  }
}

/** Stands where no one with an account did it. */
const noOperator = { id: '00000000-0000-0000-0000-000000000000' } as const

/** A console that is open asks again and again. */
const oneLookMs = 10 * 60_000

const idsOf = (about: readonly (string | null)[]): readonly string[] => about.filter((id) => id !== null)

const problemOf = (error: unknown): string => (error instanceof ServiceError ? error.code : messageOf(error))
