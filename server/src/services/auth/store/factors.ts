import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'
import type { FactorType } from '../model/factor-type.ts'
import type { StoredCredential } from '../model/stored-credential.ts'
import type { RequestSql } from './database.ts'

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

const selectFactorStatement = (userId: string, id: string): Statement =>
  compile(sql`select ${factorColumns} from auth.mfa_factors where id = ${id} and user_id = ${userId}`)

/** A factor of a user. */
export async function findFactor(on: RequestSql, userId: string, id: string): Promise<FactorSecretRow | undefined> {
  return (await on.query<FactorSecretRow>(selectFactorStatement(userId, id))).rows[0]
}

const selectFactorsStatement = (userId: string): Statement =>
  compile(sql`
    select ${factorColumns} from auth.mfa_factors where user_id = ${userId} order by created_at, id`)

/** Every factor of a user, oldest first. */
export async function findFactors(on: RequestSql, userId: string): Promise<readonly FactorSecretRow[]> {
  return (await on.query<FactorSecretRow>(selectFactorsStatement(userId))).rows
}

export interface NewFactor {
  readonly id: string
  readonly userId: string
  readonly type: FactorType
  readonly friendlyName: string
  readonly secret: string | null
  readonly phone: string | null
}

const insertFactorStatement = (factor: NewFactor, now: Date): Statement =>
  compile(sql`
    insert into auth.mfa_factors (
      id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone
    )
    values (
      ${factor.id}, ${factor.userId}, ${factor.friendlyName}, ${typed(factor.type, 'auth.factor_type')}, 'unverified',
      ${now}, ${now}, ${typed(factor.secret, 'text')}, ${typed(factor.phone, 'text')}
    )`)

/** Adds a factor that is still to be verified. */
export async function insertFactor(on: RequestSql, factor: NewFactor, now: Date): Promise<void> {
  await on.query(insertFactorStatement(factor, now))
}

const deleteAbandonedFactorsStatement = (userId: string, before: Date): Statement =>
  compile(sql`
    delete from auth.mfa_factors f
    where f.user_id = ${userId} and f.status = 'unverified' and f.created_at < ${before}
      and not exists (select from auth.mfa_challenges c where c.factor_id = f.id)`)

/** Takes away a user's unverified factors that are older than `before` and were never challenged. */
export async function deleteAbandonedFactors(on: RequestSql, userId: string, before: Date): Promise<void> {
  await on.query(deleteAbandonedFactorsStatement(userId, before))
}

interface FactorFilter {
  readonly type: FactorType
  readonly phone?: string
}

function deleteUnverifiedFactorsStatement(userId: string, which: FactorFilter): Statement {
  const ofPhone = which.phone === undefined ? sql`` : sql`and phone = ${which.phone}`
  return compile(sql`
    delete from auth.mfa_factors
    where user_id = ${userId} and status = 'unverified' and factor_type = ${typed(which.type, 'auth.factor_type')}
      ${ofPhone}`)
}

/** Takes away a user's unverified factors of one type, or only the one with a phone number. */
export async function deleteUnverifiedFactors(on: RequestSql, userId: string, which: FactorFilter): Promise<void> {
  await on.query(deleteUnverifiedFactorsStatement(userId, which))
}

/** The data that a verification leaves on a factor. */
export interface FactorProof {
  /** The step of the code that was accepted, for authenticator apps. */
  readonly totpStep?: number
  /** The credential as it is now, for security keys. */
  readonly credential?: StoredCredential
  readonly aaguid?: string | null
  readonly webauthnChallenge?: unknown
}

function markVerifiedStatement(id: string, proof: FactorProof, now: Date): Statement {
  const { totpStep = null, credential, aaguid = null, webauthnChallenge } = proof
  const json = (value: unknown) => typed(value === undefined ? null : JSON.stringify(value), 'jsonb')
  return compile(sql`
    update auth.mfa_factors
    set status = 'verified', updated_at = ${now},
      last_totp_step = coalesce(${typed(totpStep, 'bigint')}, last_totp_step),
      web_authn_credential = coalesce(${json(credential)}, web_authn_credential),
      web_authn_aaguid = coalesce(${typed(aaguid, 'uuid')}, web_authn_aaguid),
      last_webauthn_challenge_data = coalesce(${json(webauthnChallenge)}, last_webauthn_challenge_data)
    where id = ${id}
      and (${typed(totpStep, 'bigint')} is null or last_totp_step is null
        or last_totp_step < ${typed(totpStep, 'bigint')})
    returning id`)
}

/**
 * Makes a factor verified.
 *
 * @returns false when the factor is gone, or its code was accepted before, by another call a moment ago
 */
export async function markVerified(on: RequestSql, id: string, proof: FactorProof, now: Date): Promise<boolean> {
  return (await on.query(markVerifiedStatement(id, proof, now))).rows.length === 1
}

interface FactorChange {
  readonly friendlyName: string | null
  readonly phone: string | null
}

const updateFactorStatement = (id: string, change: FactorChange, now: Date): Statement =>
  compile(sql`
    update auth.mfa_factors
    set friendly_name = coalesce(${typed(change.friendlyName, 'text')}, friendly_name),
      phone = coalesce(${typed(change.phone, 'text')}, phone), updated_at = ${now}
    where id = ${id}`)

/** Sets what an administrator may set of a factor. */
export async function updateFactor(on: RequestSql, id: string, change: FactorChange, now: Date): Promise<void> {
  await on.query(updateFactorStatement(id, change, now))
}

interface FactorWithMethod {
  readonly id: string
  readonly method: string
}

const deleteFactorStatement = (factor: FactorWithMethod, now: Date): Statement =>
  compile(sql`
    with lowered as (
      update auth.sessions set aal = 'aal1', factor_id = null, updated_at = ${now}
      where factor_id = ${factor.id}
      returning id
    ), forgotten as (
      delete from auth.mfa_amr_claims
      where session_id in (select id from lowered) and authentication_method = ${factor.method}
    )
    delete from auth.mfa_factors where id = ${factor.id}`)

/** Takes a factor away; sessions that it raised are of the first level again (auth §15). */
export async function deleteFactor(on: RequestSql, factor: FactorWithMethod, now: Date): Promise<void> {
  await on.query(deleteFactorStatement(factor, now))
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

function insertChallengeStatement(remoteAddress: string, challenge: NewChallenge, now: Date): Statement {
  const session = challenge.webauthn === null ? null : JSON.stringify(challenge.webauthn)
  return compile(sql`
    with challenged as (
      update auth.mfa_factors set last_challenged_at = ${now} where id = ${challenge.factorId}
    )
    insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
    values (
      ${challenge.id}, ${challenge.factorId}, ${now}, ${typed(remoteAddress, 'inet')},
      ${typed(challenge.otpHash, 'text')}, ${typed(session, 'jsonb')}
    )`)
}

/** Adds a challenge, and notes on its factor when it was. */
export async function insertChallenge(on: RequestSql, challenge: NewChallenge, now: Date): Promise<void> {
  await on.query(insertChallengeStatement(on.context.remoteAddress, challenge, now))
}

const selectChallengeStatement = (remoteAddress: string, factorId: string, id: string): Statement =>
  compile(sql`
    select id, created_at as "createdAt", verified_at as "verifiedAt",
      ip_address = ${typed(remoteAddress, 'inet')} as "sameAddress",
      otp_code as "otpHash", web_authn_session_data as webauthn
    from auth.mfa_challenges
    where id = ${id} and factor_id = ${factorId}`)

/** A challenge of a factor. */
export async function findChallenge(on: RequestSql, factorId: string, id: string): Promise<ChallengeRow | undefined> {
  return (await on.query<ChallengeRow>(selectChallengeStatement(on.context.remoteAddress, factorId, id))).rows[0]
}

const consumeChallengeStatement = (id: string, now: Date): Statement =>
  compile(sql`
    update auth.mfa_challenges set verified_at = ${now} where id = ${id} and verified_at is null returning id`)

/** Uses a challenge up; false when another call was first. */
export async function consumeChallenge(on: RequestSql, id: string, now: Date): Promise<boolean> {
  return (await on.query(consumeChallengeStatement(id, now))).rows.length === 1
}

const countChallengeGuessStatement = (id: string, limit: number): Statement =>
  compile(sql`
    update auth.mfa_challenges set wrong_guesses = wrong_guesses + 1
    where id = ${id} and wrong_guesses < ${typed(limit, 'integer')}
    returning id`)

/**
 * Counts an answer to a challenge whose code was sent, before it is looked at.
 *
 * @returns false when there were too many
 */
export async function countChallengeGuess(on: RequestSql, id: string, limit: number): Promise<boolean> {
  return (await on.query(countChallengeGuessStatement(id, limit))).rows.length === 1
}

const selectFactorAddressesStatement = (factorId: string): Statement =>
  compile(sql`
    select host(ip) as address from auth.sessions
    where factor_id = ${typed(factorId, 'uuid')} and ip is not null
    order by updated_at desc limit 20`)

/** Addresses from which sessions were raised by a factor, the latest first. */
export async function findFactorAddresses(on: RequestSql, factorId: string): Promise<readonly string[]> {
  return (await on.query<{ address: string }>(selectFactorAddressesStatement(factorId))).rows.map(
    ({ address }) => address,
  )
}

const deleteChallengeStatement = (id: string): Statement =>
  compile(sql`delete from auth.mfa_challenges where id = ${id}`)

/** Takes a challenge away. */
export async function deleteChallenge(on: RequestSql, id: string): Promise<void> {
  await on.query(deleteChallengeStatement(id))
}
