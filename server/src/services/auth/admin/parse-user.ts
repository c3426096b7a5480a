import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Body } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { parseEmail } from '../parse/address.ts'
import { readFlag, readName, readObject, readText } from '../parse/body.ts'
import { parseDuration } from '../parse/duration.ts'
import { parsePhone } from '../parse/phone.ts'

/** The fields of a user in an administrator's call; null for one that is absent (auth §18). */
export interface RequestedUser {
  readonly id: string | null
  readonly audience: string | null
  readonly role: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly password: string | null
  readonly passwordHash: string | null
  readonly confirmsEmail: boolean
  readonly confirmsPhone: boolean
  readonly userMetadata: Body | null
  readonly appMetadata: Body | null
  /** Milliseconds from now; zero lifts a ban. */
  readonly banMs: number | null
}

/** @throws validation_failed, bad_json */
export function parseRequestedUser(body: Body): RequestedUser {
  const text = (field: string): string | null => readText(body, field) || null
  const name = (field: string): string | null => readName(body, field) || null
  const email = text('email')
  const phone = text('phone')
  return {
    id: parseId(readText(body, 'id')),
    audience: name('aud'),
    role: name('role'),
    email: email === null ? null : parseEmail(email),
    phone: phone === null ? null : parsePhone(phone),
    // An empty password is said; one that is absent or null is not.
    password: body.password === undefined || body.password === null ? null : readText(body, 'password'),
    passwordHash: text('password_hash'),
    confirmsEmail: readFlag(body, 'email_confirm', false),
    confirmsPhone: readFlag(body, 'phone_confirm', false),
    userMetadata: readObject(body, 'user_metadata'),
    appMetadata: readObject(body, 'app_metadata'),
    banMs: parseBan(readText(body, 'ban_duration')),
  }
}

const nil = '00000000-0000-0000-0000-000000000000'

function parseId(raw: string): string | null {
  if (raw === '') return null
  if (!isUuid(raw)) throw authError('validation_failed', { message: 'ID must conform to the uuid v4 format' })
  if (raw === nil) throw authError('validation_failed', { message: 'ID cannot be a nil uuid' })
  return raw.toLowerCase()
}

function parseBan(raw: string): number | null {
  if (raw === '') return null
  if (raw === 'none') return 0
  const ms = parseDuration(raw)
  if (ms === undefined)
    throw authError('validation_failed', {
      message: `invalid format for ban duration: time: invalid duration "${raw}"`,
    })
  return ms
}

/** Until when a ban lasts; null for none. */
export const bannedUntil = (banMs: number, now: Date): Date | null => {
  if (banMs === 0) return null
  // The last instant that PostgreSQL and a client both write with four digits of a year.
  const latest = Date.UTC(9999, 11, 31)
  return new Date(Math.min(latest, now.getTime() + banMs))
}
