import type { Call, Parts, Reply } from '../deps.ts'
import { beginAuthentication, finishAuthentication } from '../passkeys/authentication.ts'
import {
  changePasskey,
  listPasskeys,
  listPasskeysAsAdmin,
  removePasskey,
  removePasskeyAsAdmin,
} from '../passkeys/manage.ts'
import { beginRegistration, finishRegistration } from '../passkeys/registration.ts'
import { changeFactorAsAdmin, deleteFactorAsAdmin, listFactorsAsAdmin } from './admin.ts'
import { challengeFactor } from './challenge.ts'
import { enrolFactor } from './enrol.ts'
import { unenrolFactor } from './unenrol.ts'
import { verifyFactor } from './verify.ts'

type Asked = Pick<Call, 'work'>

/** Second factors and passkeys (auth §15, §16; the administrator's part: auth §18). */
export interface Factors {
  readonly enrol: (call: Call) => Promise<Reply>
  readonly challenge: (call: Call, factorId: string) => Promise<Reply>
  readonly verify: (call: Call, factorId: string) => Promise<Reply>
  readonly unenrol: (call: Asked, factorId: string) => Promise<Reply>
  readonly listAsAdmin: (call: Asked, userId: string) => Promise<Reply>
  readonly changeAsAdmin: (call: Call, userId: string, factorId: string) => Promise<Reply>
  readonly deleteAsAdmin: (call: Asked, userId: string, factorId: string) => Promise<Reply>
  readonly beginRegistration: (call: Asked) => Promise<Reply>
  readonly finishRegistration: (call: Call) => Promise<Reply>
  readonly beginAuthentication: (call: Call) => Promise<Reply>
  readonly finishAuthentication: (call: Call) => Promise<Reply>
  readonly listPasskeys: (call: Asked) => Promise<Reply>
  readonly changePasskey: (call: Call, passkeyId: string) => Promise<Reply>
  readonly removePasskey: (call: Asked, passkeyId: string) => Promise<Reply>
  readonly listPasskeysAsAdmin: (call: Asked, userId: string) => Promise<Reply>
  readonly removePasskeyAsAdmin: (call: Asked, userId: string, passkeyId: string) => Promise<Reply>
}

export const createFactors = (parts: Parts): Factors => ({
  enrol: (call) => enrolFactor(parts, call),
  challenge: (call, id) => challengeFactor(parts, call, id),
  verify: (call, id) => verifyFactor(parts, call, id),
  unenrol: (call, id) => unenrolFactor(parts, call, id),
  listAsAdmin: (call, userId) => listFactorsAsAdmin(parts, call, userId),
  changeAsAdmin: (call, userId, id) => changeFactorAsAdmin(parts, call, userId, id),
  deleteAsAdmin: (call, userId, id) => deleteFactorAsAdmin(parts, call, userId, id),
  beginRegistration: (call) => beginRegistration(parts, call),
  finishRegistration: (call) => finishRegistration(parts, call),
  beginAuthentication: (call) => beginAuthentication(parts, call),
  finishAuthentication: (call) => finishAuthentication(parts, call),
  listPasskeys: (call) => listPasskeys(parts, call),
  changePasskey: (call, id) => changePasskey(parts, call, id),
  removePasskey: (call, id) => removePasskey(parts, call, id),
  listPasskeysAsAdmin: (call, userId) => listPasskeysAsAdmin(parts, call, userId),
  removePasskeyAsAdmin: (call, userId, id) => removePasskeyAsAdmin(parts, call, userId, id),
})
