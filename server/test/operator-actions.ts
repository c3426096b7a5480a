import { ServiceError } from '../src/ground/errors/service-error.ts'
import type { OperatorAction, OperatorActions, OperatorRight } from '../src/ground/model/operator-actions.ts'

const rights: Readonly<Record<string, readonly OperatorRight[]>> = {
  owner: ['look', 'read data', 'change', 'reveal', 'grant', 'protect', 'manage team', 'query'],
  developer: ['look', 'read data', 'change', 'query'],
  analyst: ['look'],
  viewer: [],
}

export type OperatorRole = 'owner' | 'developer' | 'analyst' | 'viewer'

/** The rights of one role, and a log in memory, for the routes of rooms; the operators' own are tested in their room. */
export function recordedActions(role: OperatorRole) {
  const log: Pick<OperatorAction, 'name' | 'target'>[] = []
  const looks: Pick<OperatorAction, 'name' | 'target'>[] = []
  const check = (right: OperatorRight): void => {
    if (!rights[role]?.includes(right))
      throw new ServiceError({
        ...{ code: 'FORBIDDEN', status: 403, message: 'Forbidden.', hint: '', details: null, wireHint: null },
        ...{ headers: {}, cause: undefined },
      })
  }
  const actions: OperatorActions = {
    check: (_request, right) => check(right),
    may: (_request, right) => rights[role]?.includes(right) === true,
    async look(_request, { name, target }) {
      looks.push({ name, target })
    },
    async run(_request, { name, target, right = 'change' }, perform) {
      if (right !== null) check(right)
      log.push({ name, target })
      return perform()
    },
  }
  return { actions, log, looks }
}
