import Type from 'typebox'
import { type Declared, nullable, setting, type Values } from '../../../ground/settings/setting.ts'

const week = 604_800
const year = 31_536_000

/** Access tokens, refresh tokens and the length of sessions, and how long ended rows stay. */
export const sessionSettings = {
  jwtIssuer: setting(nullable(Type.String()), {
    default: null,
    description: 'The `iss` claim of access tokens, when it is not the external URL.',
  }),
  jwtAdminRoles: setting(Type.Array(Type.String()), {
    default: ['service_role', 'supabase_admin'],
    description: 'Roles whose tokens may use the admin API.',
  }),
  signingKeysPath: setting(nullable(Type.String()), {
    default: null,
    description:
      'A file with the keys that sign and verify tokens, as a JSON array of JSON Web Keys; the one whose key_ops hold `sign` signs. The data directory’s own key where nothing is said.',
  }),
  jwtExpirySeconds: setting(Type.Integer({ minimum: 30, maximum: week }), {
    default: 3600,
    description: 'How long an access token lives.',
  }),
  enableRefreshTokenRotation: setting(Type.Boolean(), {
    default: true,
    description: 'Whether a refresh token that is used again late ends its session.',
  }),
  refreshTokenReuseIntervalSeconds: setting(Type.Integer({ minimum: 0, maximum: 3600 }), {
    default: 10,
    description: 'How long a used refresh token is still accepted, for tabs that refresh at the same time.',
  }),
  refreshTokenAllowReuse: setting(Type.Boolean(), {
    default: false,
    description: 'Whether a signed refresh token stays good however often it was used.',
  }),
  refreshTokenAlgorithmVersion: setting(Type.Integer({ minimum: 1, maximum: 2 }), {
    default: 1,
    description: 'How refresh tokens of new sessions are made: 1 opaque, 2 signed, which needs no row for each.',
  }),
  refreshTokenUpgradePercentage: setting(Type.Integer({ minimum: 0, maximum: 100 }), {
    default: 0,
    description: 'The share of sessions with opaque refresh tokens that go over to signed ones, where those are used.',
  }),
  sessionSinglePerUser: setting(Type.Boolean(), {
    default: false,
    description: 'Whether a user’s newest session of a tag is the only one that can be refreshed.',
  }),
  sessionTags: setting(Type.Array(Type.String()), {
    default: [],
    description: 'The kinds of sessions a user may have one of each of; a session of no kind counts as the first.',
  }),
  sessionAllowLowAalSeconds: setting(nullable(Type.Integer({ minimum: 60, maximum: year })), {
    default: null,
    description: 'How long a user with a second factor may go without verifying it; nothing for no limit.',
  }),
  sessionTimeboxSeconds: setting(nullable(Type.Integer({ minimum: 60, maximum: year })), {
    default: null,
    description: 'How long a session may live in all; nothing for no limit.',
  }),
  sessionInactivityTimeoutSeconds: setting(nullable(Type.Integer({ minimum: 60, maximum: year })), {
    default: null,
    description: 'How long a session may go without a refresh; nothing for no limit.',
  }),
  cleanUpIntervalSeconds: setting(Type.Integer({ minimum: 10, maximum: 86_400 }), {
    default: 300,
    description: 'How often ended sessions, used tokens and forgotten flows are deleted.',
  }),
  auditRetentionDays: setting(nullable(Type.Integer({ minimum: 1, maximum: 36_500 })), {
    default: null,
    description: 'How long entries of the audit log are kept; nothing for ever.',
  }),
  anonymousUserRetentionDays: setting(nullable(Type.Integer({ minimum: 1, maximum: 36_500 })), {
    default: null,
    description: 'How long anonymous users are kept after they came, with all that refers to them; nothing for ever.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type SessionSettings = Values<typeof sessionSettings>
