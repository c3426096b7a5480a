import type { Sql } from '../../../engines/postgres/index.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'
import type { FactorType } from '../factors/factor-type.ts'
import type { StoredCredential } from '../webauthn/credential.ts'

/** A second factor with what is needed to check it; never rendered as it is. */
export interface FactorSecretRow {
  readonly id: string
  readonly userId: string
  readonly type: FactorType
  readonly status: 'verified' | 'unverified'
  readonly friendlyName: string | null
  readonly secret: string | null
  readonly phone: string | null
  readonly lastChallengedAt: Date | null
  readonly lastTotpStep: number | null
  readonly credential: StoredCredential | null
}

const factorColumns = constant(`
  id, user_id as "userId", factor_type::text as type, status::text as status, friendly_name as "friendlyName",
  secret, phone, last_challenged_at as "lastChallengedAt", last_totp_step::float8 as "lastTotpStep",
  web_authn_credential as credential`)

/** A factor of a user. */
export async function findFactor(
  on: Sql,
  userId: string,
  id: string,
  work: RequestWork,
): Promise<FactorSecretRow | undefined> {
  const statement = sql`select ${factorColumns} from auth.mfa_factors where id = ${id} and user_id = ${userId}`
  return (await on.query<FactorSecretRow>(compile(statement), work)).rows[0]
}

/** Every factor of a user, oldest first. */
export async function findFactors(on: Sql, userId: string, work: RequestWork): Promise<readonly FactorSecretRow[]> {
  const statement = sql`
    select ${factorColumns} from auth.mfa_factors where user_id = ${userId} order by created_at, id`
  return (await on.query<FactorSecretRow>(compile(statement), work)).rows
}

export interface NewFactor {
  readonly id: string
  readonly userId: string
  readonly type: FactorType
  readonly friendlyName: string
  readonly secret: string | null
  readonly phone: string | null
}

/** Adds a factor that is still to be verified. */
export async function insertFactor(on: Sql, factor: NewFactor, now: Date, work: RequestWork): Promise<void> {
  await on.query(
    compile(sql`
      insert into auth.mfa_factors (
        id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone
      )
      values (
        ${factor.id}, ${factor.userId}, ${factor.friendlyName}, ${typed(factor.type, 'auth.factor_type')}, 'unverified',
        ${now}, ${now}, ${typed(factor.secret, 'text')}, ${typed(factor.phone, 'text')}
      )`),
    work,
  )
}

/** Takes away a user's unverified factors that are older than `before` and were never challenged. */
export async function deleteAbandonedFactors(on: Sql, userId: string, before: Date, work: RequestWork): Promise<void> {
  await on.query(
    compile(sql`
      delete from auth.mfa_factors f
      where f.user_id = ${userId} and f.status = 'unverified' and f.created_at < ${before}
        and not exists (select from auth.mfa_challenges c where c.factor_id = f.id)`),
    work,
  )
}

/** Takes away a user's unverified factors of one type, or only the one with a phone number. */
export async function deleteUnverifiedFactors(
  on: Sql,
  userId: string,
  which: { readonly type: FactorType; readonly phone?: string },
  work: RequestWork,
): Promise<void> {
  const ofPhone = which.phone === undefined ? sql`` : sql`and phone = ${which.phone}`
  await on.query(
    compile(sql`
      delete from auth.mfa_factors
      where user_id = ${userId} and status = 'unverified' and factor_type = ${typed(which.type, 'auth.factor_type')}
        ${ofPhone}`),
    work,
  )
}

/** What a verification leaves on a factor. */
export interface FactorProof {
  /** The step of the code that was accepted, for authenticator apps. */
  readonly totpStep?: number
  /** The credential as it is now, for security keys. */
  readonly credential?: StoredCredential
  readonly aaguid?: string | null
  readonly webauthnChallenge?: unknown
}

/**
 * Makes a factor verified.
 *
 * @returns false when the factor is gone, or its code was accepted before, by another call a moment ago
 */
export async function markVerified(
  on: Sql,
  id: string,
  proof: FactorProof,
  now: Date,
  work: RequestWork,
): Promise<boolean> {
  const { totpStep = null, credential, aaguid = null, webauthnChallenge } = proof
  const json = (value: unknown) => typed(value === undefined ? null : JSON.stringify(value), 'jsonb')
  const { rows } = await on.query(
    compile(sql`
      update auth.mfa_factors
      set status = 'verified', updated_at = ${now},
        last_totp_step = coalesce(${typed(totpStep, 'bigint')}, last_totp_step),
        web_authn_credential = coalesce(${json(credential)}, web_authn_credential),
        web_authn_aaguid = coalesce(${typed(aaguid, 'uuid')}, web_authn_aaguid),
        last_webauthn_challenge_data = coalesce(${json(webauthnChallenge)}, last_webauthn_challenge_data)
      where id = ${id}
        and (${typed(totpStep, 'bigint')} is null or last_totp_step is null
          or last_totp_step < ${typed(totpStep, 'bigint')})
      returning id`),
    work,
  )
  return rows.length === 1
}

/** Sets what an administrator may set of a factor. */
export async function updateFactor(
  on: Sql,
  id: string,
  change: { readonly friendlyName: string | null; readonly phone: string | null },
  now: Date,
  work: RequestWork,
): Promise<void> {
  await on.query(
    compile(sql`
      update auth.mfa_factors
      set friendly_name = coalesce(${typed(change.friendlyName, 'text')}, friendly_name),
        phone = coalesce(${typed(change.phone, 'text')}, phone), updated_at = ${now}
      where id = ${id}`),
    work,
  )
}

/** Takes a factor away; sessions that it raised are of the first level again (auth §15). */
export async function deleteFactor(
  on: Sql,
  factor: { readonly id: string; readonly method: string },
  now: Date,
  work: RequestWork,
): Promise<void> {
  await on.query(
    compile(sql`
      with lowered as (
        update auth.sessions set aal = 'aal1', factor_id = null, updated_at = ${now}
        where factor_id = ${factor.id}
        returning id
      ), forgotten as (
        delete from auth.mfa_amr_claims
        where session_id in (select id from lowered) and authentication_method = ${factor.method}
      )
      delete from auth.mfa_factors where id = ${factor.id}`),
    work,
  )
}

/** A question to a factor that waits for its answer. */
export interface ChallengeRow {
  readonly id: string
  readonly createdAt: Date
  readonly verifiedAt: Date | null
  /** Whether the caller's address is the one that asked. */
  readonly sameAddress: boolean
  readonly otpHash: string | null
  readonly webauthn: { readonly challenge: string } | null
}

export interface NewChallenge {
  readonly id: string
  readonly factorId: string
  readonly otpHash: string | null
  readonly webauthn: { readonly challenge: string } | null
}

/** Adds a challenge, and notes on its factor when it was. */
export async function insertChallenge(on: Sql, challenge: NewChallenge, now: Date, work: RequestWork): Promise<void> {
  const session = challenge.webauthn === null ? null : JSON.stringify(challenge.webauthn)
  await on.query(
    compile(sql`
      with challenged as (
        update auth.mfa_factors set last_challenged_at = ${now} where id = ${challenge.factorId}
      )
      insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
      values (
        ${challenge.id}, ${challenge.factorId}, ${now}, ${typed(work.remoteAddress, 'inet')},
        ${typed(challenge.otpHash, 'text')}, ${typed(session, 'jsonb')}
      )`),
    work,
  )
}

/** A challenge of a factor. */
export async function findChallenge(
  on: Sql,
  factorId: string,
  id: string,
  work: RequestWork,
): Promise<ChallengeRow | undefined> {
  const { rows } = await on.query<ChallengeRow>(
    compile(sql`
      select id, created_at as "createdAt", verified_at as "verifiedAt",
        ip_address = ${typed(work.remoteAddress, 'inet')} as "sameAddress",
        otp_code as "otpHash", web_authn_session_data as webauthn
      from auth.mfa_challenges
      where id = ${id} and factor_id = ${factorId}`),
    work,
  )
  return rows[0]
}

/** Uses a challenge up; false when another call was first. */
export async function consumeChallenge(on: Sql, id: string, now: Date, work: RequestWork): Promise<boolean> {
  const { rows } = await on.query(
    compile(sql`
      update auth.mfa_challenges set verified_at = ${now} where id = ${id} and verified_at is null returning id`),
    work,
  )
  return rows.length === 1
}

/**
 * Counts an answer to a challenge whose code was sent, before it is looked at.
 *
 * @returns false when there were too many
 */
export async function countChallengeGuess(on: Sql, id: string, limit: number, work: RequestWork): Promise<boolean> {
  const { rows } = await on.query(
    compile(sql`
      update auth.mfa_challenges set wrong_guesses = wrong_guesses + 1
      where id = ${id} and wrong_guesses < ${typed(limit, 'integer')}
      returning id`),
    work,
  )
  return rows.length === 1
}

/** Addresses from which sessions were raised by a factor, the latest first. */
export async function findFactorAddresses(on: Sql, factorId: string, work: RequestWork): Promise<readonly string[]> {
  const { rows } = await on.query<{ address: string }>(
    compile(sql`
      select host(ip) as address from auth.sessions
      where factor_id = ${typed(factorId, 'uuid')} and ip is not null
      order by updated_at desc limit 20`),
    work,
  )
  return rows.map(({ address }) => address)
}

/** Takes a challenge away. */
export async function deleteChallenge(on: Sql, id: string, work: RequestWork): Promise<void> {
  await on.query(compile(sql`delete from auth.mfa_challenges where id = ${id}`), work)
}
