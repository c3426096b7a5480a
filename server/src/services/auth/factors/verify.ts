import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { AuthResponse, Body, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { factorMethods } from '../model/factor-type.ts'
import { networkOf } from '../model/network.ts'
import { readObject, readText } from '../parse/body.ts'
import type { Member } from '../sessions/sessions.ts'
import type { RequestSql } from '../store/database.ts'
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
import type { FactorsDeps } from './deps.ts'
import { factorError } from './errors.ts'
import { checkVerifyEnabled } from './factor-type.ts'
import { getFactor } from './get-factor.ts'
import { raiseSession } from './raise-session.ts'
import { matchTotp } from './totp.ts'

/** `POST /factors/{id}/verify` (auth §15): answers the session, raised to the second level. */
export async function verifyFactor(
  deps: FactorsDeps,
  { body, context }: Call,
  factorId: string,
): Promise<AuthResponse> {
  const member = await deps.findMember(context)
  const factor = await getFactor(deps, member.user.id, factorId, context)
  const answer = parseAnswer(body, factor)
  checkVerifyEnabled(factor.type, deps.settings)
  if (factor.type === 'totp') deps.bruteForceLimit.countFactor(factor.id, await placeOf(deps, factor, context))
  const challenge = await getChallenge(deps, factor, answer.challengeId, context)
  // Before the comparison: of guesses that come at once each is counted.
  if (factor.type === 'phone' && !(await mayGuess(deps, challenge.id, context))) throw isOver(challenge.id)

  const proof = await prove(deps, factor, challenge, answer)
  await askFactorHook(deps, member, factor, proof !== null, context)
  if (proof === null) throw factorError('mfa_verification_failed', { message: failures[factor.type] })
  return deps.database.change(context, async (sql) => {
    const reply = await accept(deps, sql, member, factor, challenge, proof)
    if (factor.status === 'unverified')
      deps.outbox.notify(sql, 'mfa_factor_enrolled', member.user, { factorType: factor.type })
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

/** The factor decides what its authenticator is asked for, never the call. */
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
  deps: FactorsDeps,
  factor: FactorSecretRow,
  id: string,
  context: RequestContext,
): Promise<ChallengeRow> {
  const challenge = await findChallenge(deps.database.for(context), factor.id, id)
  if (challenge === undefined) throw factorError('mfa_factor_not_found/422')
  if (challenge.verifiedAt !== null || !challenge.sameAddress) throw factorError('mfa_ip_address_mismatch')
  const expiresAt = challenge.createdAt.getTime() + deps.settings.mfaChallengeExpirySeconds * 1000
  if (deps.now().getTime() <= expiresAt) return challenge
  await deps.database.change(context, (sql) => deleteChallenge(sql, id))
  throw isOver(id)
}

const isOver = (id: string): Error =>
  factorError('mfa_challenge_expired', {
    message: `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
  })

/**
 * The place whose guesses are counted with the caller's. A stranger who knows a user's password may guess from anywhere; where the user has
 * used the factor before, the user does not wait for it.
 */
async function placeOf(deps: FactorsDeps, factor: FactorSecretRow, context: RequestContext): Promise<string> {
  const here = networkOf(context.remoteAddress)
  const used = await findFactorAddresses(deps.database.for(context), factor.id)
  return used.some((address) => networkOf(address) === here) ? here : ''
}

const mayGuess = (deps: FactorsDeps, challengeId: string, context: RequestContext): Promise<boolean> =>
  deps.database.change(context, (sql) => countChallengeGuess(sql, challengeId, deps.settings.otpMaxWrongGuesses))

/** The proof of a right answer; null for a wrong one. */
async function prove(
  deps: FactorsDeps,
  factor: FactorSecretRow,
  challenge: ChallengeRow,
  { code, credential }: FactorAnswer,
): Promise<FactorProof | null> {
  switch (factor.type) {
    case 'totp': {
      const totpStep = matchTotp(factor.secret ?? '', code, deps.now(), factor.lastTotpStep)
      return totpStep === null ? null : { totpStep }
    }
    case 'phone': {
      const phone = factor.phone ?? ''
      if (deps.checkSmsCode !== null) return (await deps.checkSmsCode({ phone, code })) ? {} : null
      const { otpHash } = challenge
      return otpHash !== null && deps.codeHashes(phone, code).some((hash) => equalInConstantTime(hash, otpHash))
        ? {}
        : null
    }
    case 'webauthn':
      return proveCredential(deps, factor, challenge, credential)
    default:
      return factor.type satisfies never
  }
}

async function proveCredential(
  { relyingParty }: FactorsDeps,
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
  deps: FactorsDeps,
  { user }: Member,
  factor: FactorSecretRow,
  valid: boolean,
  context: RequestContext,
): Promise<void> {
  // Security keys are not asked about (auth §27).
  if (factor.type === 'webauthn') return
  const attempt = { userId: user.id, factorId: factor.id, factorType: factor.type, valid }
  const decision = await deps.hooks.judgeFactor(attempt, context)
  if (decision.kind === 'continue') return
  await deps.database.change(context, (sql) => deleteSessions(sql, user.id, 'all'))
  throw factorError('mfa_verification_rejected', { message: decision.message })
}

async function accept(
  deps: FactorsDeps,
  sql: RequestSql,
  { user, session }: Member,
  factor: FactorSecretRow,
  challenge: ChallengeRow,
  proof: FactorProof,
): Promise<AuthResponse> {
  const now = deps.now()
  // Of two calls with the same answer one is first; the other finds the challenge, or the code, used up.
  if (!(await consumeChallenge(sql, challenge.id, now))) throw factorError('mfa_ip_address_mismatch')
  if (!(await markVerified(sql, factor.id, proof, now)))
    throw factorError('mfa_verification_failed', { message: failures[factor.type] })
  await deleteUnverifiedFactors(sql, user.id, { type: factor.type })
  const traits = { factor_id: factor.id, challenge_id: challenge.id, factor_type: factor.type }
  await deps.audit(sql, user, ['verification_attempted'], traits)
  const current = await findUser(sql, user.id)
  if (current === undefined) throw authError('user_not_found')
  const method = factorMethods[factor.type]
  return raiseSession(deps, sql, { user: current, sessionId: session.id, factorId: factor.id, method })
}
