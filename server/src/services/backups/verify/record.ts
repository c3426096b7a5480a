import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { BackupTarget } from '../target/target.ts'
import { CheckResultSchema } from './check.ts'

const VerificationSchema = Type.Object({
  id: Type.String(),
  at: Type.String(),
  isGood: Type.Boolean(),
  checks: Type.Array(CheckResultSchema),
})

/** What opening a backup showed, kept beside it. */
export type Verification = Readonly<Static<typeof VerificationSchema>>

const pieceOf = (id: string): string => `checks/${id}.json`

export async function writeVerification(target: BackupTarget, verification: Verification): Promise<void> {
  await target.put(pieceOf(verification.id), Buffer.from(JSON.stringify(verification, null, 1)))
  await target.settle()
}

/** The last result of a backup; null where it was never opened, or the result cannot be read. */
export async function readVerification(target: BackupTarget, id: string): Promise<Verification | null> {
  if (!(await target.has(pieceOf(id)))) return null
  try {
    const value: unknown = JSON.parse((await target.get(pieceOf(id))).toString())
    return Value.Check(VerificationSchema, value) ? value : null
  } catch {
    return null
  }
}

export const removeVerification = (target: BackupTarget, id: string): Promise<void> => target.remove(pieceOf(id))
