import { deleteSome, type Leftover } from '../store/clean-up.ts'
import type { Database } from '../store/database.ts'
import type { SessionSettings } from './settings.ts'

type CleanUpSettings = SessionSettings & {
  readonly emailOtpExpirySeconds: number
  readonly smsOtpExpirySeconds: number
}

const day = 86_400

/** The rows that stay for a while after their end, table by table (auth §29). */
function planLeftovers(settings: CleanUpSettings, now: Date): readonly Leftover[] {
  const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)
  const { sessionTimeboxSeconds, sessionInactivityTimeoutSeconds, auditRetentionDays, anonymousUserRetentionDays } =
    settings
  return [
    { kind: 'revoked tokens', before: ago(day) },
    { kind: 'ended sessions', before: ago(3 * day) },
    ...(sessionTimeboxSeconds === null
      ? []
      : [{ kind: 'old sessions' as const, before: ago(sessionTimeboxSeconds + day) }]),
    ...(sessionInactivityTimeoutSeconds === null
      ? []
      : [{ kind: 'idle sessions' as const, before: ago(sessionInactivityTimeoutSeconds + day) }]),
    { kind: 'flows', before: ago(day) },
    { kind: 'relay states', before: ago(day) },
    { kind: 'client states', before: ago(day) },
    { kind: 'authorizations', before: ago(day) },
    { kind: 'challenges', before: ago(day) },
    { kind: 'unverified factors', before: ago(day) },
    { kind: 'ceremonies', before: now },
    { kind: 'messages and assertions', before: now },
    { kind: 'codes', before: ago(Math.max(settings.emailOtpExpirySeconds, settings.smsOtpExpirySeconds) + day) },
    ...(auditRetentionDays === null ? [] : [{ kind: 'audit entries' as const, before: ago(auditRetentionDays * day) }]),
    ...(anonymousUserRetentionDays === null
      ? []
      : [{ kind: 'anonymous users' as const, before: ago(anonymousUserRetentionDays * day) }]),
  ]
}

const batch = 500
const maxBatches = 20

/**
 * Deletes what has expired, a few rows in a transaction, so that no table is locked for long; what is left
 * after that is for the next time.
 *
 * @returns how many rows went
 */
export async function cleanUp(
  database: Pick<Database, 'maintain'>,
  settings: CleanUpSettings,
  now: Date,
): Promise<number> {
  let gone = 0
  for (const leftover of planLeftovers(settings, now)) {
    for (let round = 0; round < maxBatches; round++) {
      const deleted = await database.maintain((sql) => deleteSome(sql, leftover, batch))
      gone += deleted
      if (deleted < batch) break
    }
  }
  return gone
}
