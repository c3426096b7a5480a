import { Type } from 'typebox'
import { Nullable } from './schemas.ts'

/** The OpenAPI tag of the routes for an operator's own access. */
export const tags = ['access']

export const Instant = Type.String({ format: 'date-time' })
export const RecoveryCodeList = Type.Array(Type.String())
/** The reply to an added factor: recovery codes with the first one, else null. */
export const NewFactorSchema = Type.Object({ recoveryCodes: Nullable(RecoveryCodeList) })
/** The reply of `NewFactorSchema`. */
export const toNewFactor = (codes: readonly string[] | null) => ({ recoveryCodes: codes === null ? null : [...codes] })
export const IdParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
