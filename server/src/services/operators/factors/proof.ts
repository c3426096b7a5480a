import { randomInt } from 'node:crypto'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Secrets } from '../secrets.ts'
import type { Ceremonies } from './passkeys.ts'
import { type Factors, replaceRecoveryCodes, usePasskey, useRecoveryCode, useTotpStep } from './store.ts'
import { matchTotp } from './totp.ts'

/** What an operator shows beside the password: a code of the app, a recovery code, or a passkey's answer. */
export interface Proof {
  readonly code?: string
  readonly credential?: unknown
}

export interface FactorDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly secrets: Secrets
  readonly ceremonies: Ceremonies
}

/** Whether a proof is right; a right one is used up. @param challenge what a passkey was asked to sign */
export async function checkProof(
  { sql, now, secrets, ceremonies }: FactorDeps,
  operatorId: string,
  { totp, passkeys }: Factors,
  { code, credential }: Proof,
  challenge: string | null,
): Promise<boolean> {
  if (credential !== undefined) {
    const used = challenge === null ? null : await ceremonies.verify(credential, challenge, passkeys)
    if (used === null) return false
    await usePasskey(sql, used.passkey.id, used.signCount, now())
    return true
  }
  const typed = code?.replaceAll(/[\s-]/g, '').toLowerCase() ?? ''
  if (/^\d{6}$/.test(typed)) {
    if (totp === null || totp.confirmedAt === null) return false
    const step = matchTotp(secrets.open(totp.sealedSecret), typed, now(), totp.lastStep)
    return step !== null && useTotpStep(sql, operatorId, step, now())
  }
  return typed !== '' && useRecoveryCode(sql, operatorId, secrets.hashCode(operatorId, typed))
}

const codes = 10
const codeLength = 12
/** Without what is mistaken for something else when it is written down; no code is digits only. */
const letters = 'abcdefghjkmnpqrstuvwxyz'
const symbols = `${letters}23456789`

/** Makes recovery codes in place of the earlier ones; they are shown once. */
export async function renewRecoveryCodes(
  { sql, secrets }: Pick<FactorDeps, 'sql' | 'secrets'>,
  operatorId: string,
): Promise<readonly string[]> {
  const made = Array.from({ length: codes }, createCode)
  await replaceRecoveryCodes(
    sql,
    operatorId,
    made.map((code) => secrets.hashCode(operatorId, code)),
  )
  return made.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
}

const pick = (from: string): string => from.charAt(randomInt(from.length))

const createCode = (): string => pick(letters) + Array.from({ length: codeLength - 1 }, () => pick(symbols)).join('')
