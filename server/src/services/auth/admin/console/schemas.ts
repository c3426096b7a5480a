import { Type } from 'typebox'
import { Instant, Nullable } from '../../../../ground/http/schemas.ts'

export const UserState = Type.Enum(['confirmed', 'unconfirmed', 'banned', 'anonymous', 'deleted'])
export const UserId = Type.String({ format: 'uuid' })

const user = {
  id: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  name: Nullable(Type.String()),
  state: UserState,
  providers: Type.Array(Type.String()),
  createdAt: Nullable(Instant),
  lastSignInAt: Nullable(Instant),
}

export const UserSummary = Type.Object(user, { $id: 'UserSummary' })

export const UserDetail = Type.Object({
  id: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  role: Nullable(Type.String()),
  emailConfirmedAt: Nullable(Instant),
  phoneConfirmedAt: Nullable(Instant),
  invitedAt: Nullable(Instant),
  createdAt: Nullable(Instant),
  lastSignInAt: Nullable(Instant),
  bannedUntil: Nullable(Instant),
  isBanned: Type.Boolean(),
  isAnonymous: Type.Boolean(),
  appMetadata: Type.Record(Type.String(), Type.Unknown()),
  userMetadata: Type.Record(Type.String(), Type.Unknown()),
  identities: Type.Array(
    Type.Object({
      id: Type.String(),
      provider: Type.String(),
      email: Nullable(Type.String()),
      lastSignInAt: Nullable(Instant),
    }),
  ),
  factors: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Nullable(Type.String()),
      type: Type.String(),
      isVerified: Type.Boolean(),
      createdAt: Instant,
    }),
  ),
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      createdAt: Nullable(Instant),
      refreshedAt: Nullable(Instant),
      userAgent: Nullable(Type.String()),
      address: Nullable(Type.String()),
      level: Type.String({ description: '`aal2` with a second factor' }),
    }),
  ),
})

export const Owned = Type.Object({
  tables: Type.Array(
    Type.Object({
      schema: Type.String(),
      table: Type.String(),
      column: Type.String(),
      rows: Type.Integer({ description: '10,000 says as many or more' }),
      onDelete: Type.Enum(['deleted', 'emptied', 'kept from being deleted']),
      canBeEmptied: Type.Boolean({ description: 'Whether the column may be null' }),
    }),
  ),
})
