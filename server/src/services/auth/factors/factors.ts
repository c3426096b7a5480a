import type { AuthResponse, Call } from '../model/call.ts'
import { changeFactorAsAdmin, deleteFactorAsAdmin, listFactorsAsAdmin } from './admin.ts'
import { challengeFactor } from './challenge.ts'
import type { FactorsDeps } from './deps.ts'
import { enrolFactor } from './enrol.ts'
import { unenrolFactor } from './unenrol.ts'
import { verifyFactor } from './verify.ts'

type ContextOnly = Pick<Call, 'context'>

/** Second factors (auth §15; the administrator's part: auth §18). */
export interface Factors {
  readonly enrol: (call: Call) => Promise<AuthResponse>
  readonly challenge: (call: Call, factorId: string) => Promise<AuthResponse>
  readonly verify: (call: Call, factorId: string) => Promise<AuthResponse>
  readonly unenrol: (call: ContextOnly, factorId: string) => Promise<AuthResponse>
  readonly listAsAdmin: (call: ContextOnly, userId: string) => Promise<AuthResponse>
  readonly changeAsAdmin: (call: Call, userId: string, factorId: string) => Promise<AuthResponse>
  readonly deleteAsAdmin: (call: ContextOnly, userId: string, factorId: string) => Promise<AuthResponse>
}

export const createFactors = (deps: FactorsDeps): Factors => ({
  enrol: (call) => enrolFactor(deps, call),
  challenge: (call, id) => challengeFactor(deps, call, id),
  verify: (call, id) => verifyFactor(deps, call, id),
  unenrol: (call, id) => unenrolFactor(deps, call, id),
  listAsAdmin: (call, userId) => listFactorsAsAdmin(deps, call, userId),
  changeAsAdmin: (call, userId, id) => changeFactorAsAdmin(deps, call, userId, id),
  deleteAsAdmin: (call, userId, id) => deleteFactorAsAdmin(deps, call, userId, id),
})
