import type { FactorRow, IdentityRow, UserRow } from '../model/user.ts'

/** A user as the protocol answers it (auth §4): nothing of the password or any token. */
export function renderUser(user: UserRow): Readonly<Record<string, unknown>> {
  return present({
    id: user.id,
    aud: user.aud ?? '',
    role: user.role ?? '',
    email: user.email ?? '',
    email_confirmed_at: instant(user.emailConfirmedAt),
    phone: user.phone ?? '',
    phone_confirmed_at: instant(user.phoneConfirmedAt),
    invited_at: instant(user.invitedAt),
    confirmation_sent_at: instant(user.confirmationSentAt),
    confirmed_at: instant(user.confirmedAt),
    recovery_sent_at: instant(user.recoverySentAt),
    new_email: user.newEmail || undefined,
    email_change_sent_at: instant(user.emailChangeSentAt),
    new_phone: user.newPhone || undefined,
    phone_change_sent_at: instant(user.phoneChangeSentAt),
    reauthentication_sent_at: instant(user.reauthenticationSentAt),
    last_sign_in_at: instant(user.lastSignInAt),
    app_metadata: user.appMetadata,
    user_metadata: user.userMetadata,
    factors: user.factors.length === 0 ? undefined : user.factors.map(renderFactor),
    identities: user.identities.map(renderIdentity),
    created_at: instant(user.createdAt),
    updated_at: instant(user.updatedAt),
    banned_until: instant(user.bannedUntil),
    deleted_at: instant(user.deletedAt),
    is_anonymous: user.isAnonymous,
  })
}

function renderIdentity(identity: IdentityRow): Readonly<Record<string, unknown>> {
  return present({
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    last_sign_in_at: utc(identity.last_sign_in_at),
    created_at: utc(identity.created_at),
    updated_at: utc(identity.updated_at),
    email: identity.email ?? undefined,
  })
}

/** A second factor as the protocol answers it: nothing of its secret. */
export function renderFactor(factor: FactorRow): Readonly<Record<string, unknown>> {
  return present({
    id: factor.id,
    created_at: utc(factor.created_at),
    updated_at: utc(factor.updated_at),
    status: factor.status,
    friendly_name: factor.friendly_name || undefined,
    factor_type: factor.factor_type,
    phone: factor.phone ?? '',
    last_challenged_at: utc(factor.last_challenged_at) ?? null,
    web_authn_aaguid: factor.web_authn_aaguid ?? undefined,
    last_webauthn_challenge_data: factor.last_webauthn_challenge_data ?? undefined,
  })
}

const instant = (date: Date | null): string | undefined => date?.toISOString()

const utc = (text: string | null): string | undefined => (text === null ? undefined : new Date(text).toISOString())

const present = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
