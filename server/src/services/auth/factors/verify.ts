import type { Sql } from '../../../engines/postgres/index.ts'
import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { networkOf } from '../limits/rate-limits.ts'
import { type Body, readObject, readText } from '../parse/body.ts'
import { insertAudit } from '../store/audit.ts'
import {
  type ChallengeRow,
  consumeChallenge,
  countChallengeGuess,
  deleteChallenge,
  deleteUnverifiedFactors,
  type FactorProof,
  type FactorSecretRow,
  findChallenge,
  findFactorAddresses,
  markVerified,
} from '../store/factors.ts'
import { deleteSessions } from '../store/sessions.ts'
import { findUser } from '../store/users.ts'
import { loadCredential, storeCredential } from '../webauthn/credential.ts'
import { checkVerifyEnabled, factorMethods } from './factor-type.ts'
import { findMember, getFactor, type Member } from './member.ts'
import { raiseSession } from './raise-session.ts'
import { matchTotp } from './totp.ts'

/** `POST /factors/{id}/verify` (auth §15): answers the session, raised to the second level. */
export async function verifyFactor(parts: Parts, { body, work }: Call, factorId: string): Promise<Reply> {
  const member = await findMember(parts, work)
  const factor = await getFactor(parts, member.user.id, factorId, work)
  const answer = parseAnswer(body, factor)
  checkVerifyEnabled(factor.type, parts.settings)
  if (factor.type === 'totp') parts.guessLimits.countFactor(factor.id, await placeOf(parts, factor, work))
  const challenge = await getChallenge(parts, factor, answer.challengeId, work)
  // Before the comparison: of guesses that come at once each is counted.
  if (factor.type === 'phone' && !(await mayGuess(parts, challenge.id, work))) throw isOver(challenge.id)

  const proof = await prove(parts, factor, challenge, answer)
  await askFactorHook(parts, member, factor, proof !== null, work)
  if (proof === null) throw authError('mfa_verification_failed', { message: failures[factor.type] })
  return parts.database.change(work, async (sql) => {
    const reply = await accept(parts, sql, member, factor, challenge, proof, work)
    if (factor.status === 'unverified')
      parts.outbox.notify(sql, 'mfa_factor_enrolled', member.user, work, { factorType: factor.type })
    return reply
  })
}

const failures = {
  totp: 'Invalid TOTP code entered',
  phone: 'Invalid MFA Phone code entered',
  webauthn: 'Failed to validate WebAuthn MFA response',
} as const

interface FactorAnswer {
  readonly challengeId: string
  readonly code: string
  readonly credential: unknown
}

function parseAnswer(body: Body, factor: FactorSecretRow): FactorAnswer {
  const challengeId = readText(body, 'challenge_id')
  const code = readText(body, 'code')
  const webauthn = readObject(body, 'webauthn')
  if (!isUuid(challengeId)) throw authError('bad_json', { message: 'challenge_id must be a UUID' })
  if (factor.type !== 'webauthn') {
    if (code === '') throw authError('validation_failed', { message: 'Code needs to be non-empty' })
    return { challengeId, code, credential: null }
  }
  return { challengeId, code, credential: parseWebAuthn(webauthn, factor) }
}

/** What an authenticator is asked for depends on the factor, never on what the call says it is. */
function parseWebAuthn(webauthn: Body | null, factor: FactorSecretRow): unknown {
  const invalid = (message: string) => authError('validation_failed', { message })
  if (webauthn === null) throw invalid('WebAuthn config required')
  const type = readText(webauthn, 'type')
  if (type !== 'create' && type !== 'request') throw invalid('WebAuthn type must be create or request')
  const credential = readObject(webauthn, 'credential_response')
  if (credential === null) throw invalid('credential_response required')
  if (type !== (factor.status === 'verified' ? 'request' : 'create'))
    throw invalid(`WebAuthn type ${type} does not fit a factor that is ${factor.status}`)
  return credential
}

/** @throws mfa_factor_not_found (422), mfa_ip_address_mismatch, mfa_challenge_expired */
async function getChallenge(
  parts: Parts,
  factor: FactorSecretRow,
  id: string,
  work: Call['work'],
): Promise<ChallengeRow> {
  const challenge = await findChallenge(parts.database.sql, factor.id, id, work)
  if (challenge === undefined) throw authError('mfa_factor_not_found/422')
  if (challenge.verifiedAt !== null || !challenge.sameAddress) throw authError('mfa_ip_address_mismatch')
  const expiresAt = challenge.createdAt.getTime() + parts.settings.mfaChallengeExpirySeconds * 1000
  if (parts.now().getTime() <= expiresAt) return challenge
  await parts.database.change(work, (sql) => deleteChallenge(sql, id, work))
  throw isOver(id)
}

const isOver = (id: string): Error =>
  authError('mfa_challenge_expired', {
    message: `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
  })

/**
 * Whose guesses are counted with the caller's. Whoever knows a user's password may guess from anywhere; where the user has
 * used the factor before, they are not kept waiting for it.
 */
async function placeOf(parts: Parts, factor: FactorSecretRow, work: Call['work']): Promise<string> {
  const here = networkOf(work.remoteAddress)
  const used = await findFactorAddresses(parts.database.sql, factor.id, work)
  return used.some((address) => networkOf(address) === here) ? here : ''
}

const mayGuess = (parts: Parts, challengeId: string, work: Call['work']): Promise<boolean> =>
  parts.database.change(work, (sql) => countChallengeGuess(sql, challengeId, parts.settings.otpMaxWrongGuesses, work))

/** What shows that the answer is right; null when it is not. */
async function prove(
  parts: Parts,
  factor: FactorSecretRow,
  challenge: ChallengeRow,
  { code, credential }: FactorAnswer,
): Promise<FactorProof | null> {
  switch (factor.type) {
    case 'totp': {
      const totpStep = matchTotp(factor.secret ?? '', code, parts.now(), factor.lastTotpStep)
      return totpStep === null ? null : { totpStep }
    }
    case 'phone': {
      const phone = factor.phone ?? ''
      if (parts.checkSmsCode !== null) return (await parts.checkSmsCode({ phone, code })) ? {} : null
      const given = parts.hashCode(phone, code)
      return challenge.otpHash !== null && equalInConstantTime(given, challenge.otpHash) ? {} : null
    }
    case 'webauthn':
      return proveCredential(parts, factor, challenge, credential)
    default:
      return factor.type satisfies never
  }
}

async function proveCredential(
  { relyingParty }: Parts,
  { status, credential: stored }: FactorSecretRow,
  { id, webauthn }: ChallengeRow,
  answer: unknown,
): Promise<FactorProof | null> {
  if (webauthn === null) return null
  const seen = { challenge: { id }, type: status === 'verified' ? 'request' : 'create', credential_response: answer }
  if (status === 'unverified') {
    const made = await relyingParty.register(answer, webauthn.challenge)
    return made && { credential: storeCredential(made), aaguid: made.aaguid, webauthnChallenge: seen }
  }
  if (stored === null) return null
  const used = await relyingParty.verify(answer, webauthn.challenge, loadCredential(stored))
  if (used === null) return null
  const authenticator = { ...stored.authenticator, signCount: used.counter }
  const credential = { ...stored, flags: { ...stored.flags, backupState: used.backedUp }, authenticator }
  return { credential, webauthnChallenge: seen }
}

/** @throws mfa_verification_rejected, and then every session of the user is over */
async function askFactorHook(
  parts: Parts,
  { user }: Member,
  factor: FactorSecretRow,
  valid: boolean,
  work: Call['work'],
): Promise<void> {
  // Security keys are not asked about (auth §27).
  if (factor.type === 'webauthn') return
  const attempt = { userId: user.id, factorId: factor.id, factorType: factor.type, valid }
  const decision = await parts.hooks.judgeFactor(attempt, work)
  if (decision.kind === 'continue') return
  await parts.database.change(work, (sql) => deleteSessions(sql, user.id, 'all', work))
  throw authError('mfa_verification_rejected', { message: decision.message })
}

async function accept(
  parts: Parts,
  sql: Sql,
  { user, session }: Member,
  factor: FactorSecretRow,
  challenge: ChallengeRow,
  proof: FactorProof,
  work: Call['work'],
): Promise<Reply> {
  const now = parts.now()
  // Of two calls with the same answer one is first; the other finds the challenge, or the code, used up.
  if (!(await consumeChallenge(sql, challenge.id, now, work))) throw authError('mfa_ip_address_mismatch')
  if (!(await markVerified(sql, factor.id, proof, now, work)))
    throw authError('mfa_verification_failed', { message: failures[factor.type] })
  await deleteUnverifiedFactors(sql, user.id, { type: factor.type }, work)
  const traits = { factor_id: factor.id, challenge_id: challenge.id, factor_type: factor.type }
  await insertAudit(sql, user, ['verification_attempted'], { newId: parts.newId, now, work }, traits)
  const current = await findUser(sql, user.id, work)
  if (current === undefined) throw authError('user_not_found')
  const method = factorMethods[factor.type]
  return raiseSession(parts, sql, { user: current, sessionId: session.id, factorId: factor.id, method }, work)
}
