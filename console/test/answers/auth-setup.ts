import type { AuthSetup, InstanceSecrets, RootKeys } from '../../src/lib/api/schemas.ts'
import { signedIn } from '../answers.ts'
import type { Answers } from '../console.tsx'

const currentKey = { lastUsedAt: null, replacedAt: null, pinned: null }
/** What is set for signing in. */
export const authSetup: AuthSetup = {
  settings: [
    {
      ...{ name: 'site_url', environment: 'CLEW_AUTH_SITE_URL', group: 'Addresses', description: 'The application.' },
      ...{
        value: '"https://shop.test"',
        isSecret: false,
        isSet: true,
        from: 'clew.toml: [auth] site_url',
        line: 'site_url = "https://shop.test"',
        ...{ form: { kind: 'text', choices: [], allowed: 'an address' }, pinned: null, waiting: null },
      },
    },
    {
      ...{ name: 'external_github_secret', environment: 'CLEW_AUTH_EXTERNAL_GITHUB_SECRET', group: 'Providers' },
      ...{
        description: 'The secret.',
        value: null,
        isSecret: true,
        isSet: true,
        from: null,
        line: 'external_github_secret = "…"',
        ...{ form: { kind: 'text', choices: [], allowed: 'a text' }, pinned: 'A secret.', waiting: null },
      },
    },
  ],
  providers: [
    {
      name: 'apple',
      enabled: false,
      redirectUri: 'https://api.test/callback',
      clientId: null,
      hasSecret: false,
      missing: 'missing OAuth client ID',
    },
    {
      name: 'github',
      enabled: true,
      redirectUri: 'https://api.test/callback',
      clientId: 'app-id',
      hasSecret: false,
      missing: 'missing OAuth secret',
    },
  ],
  mails: [{ kind: 'recovery', enabled: true, source: 'built-in', prefix: 'email_template_recovery' }],
  hasMailHook: false,
  keys: [{ kid: 'k1', algorithm: 'ES256', signs: true }],
  apiKeys: [
    { ...currentKey, name: 'publishable', id: 'p1', pinned: 'The setting publishable_key has it: change it there.' },
    { ...currentKey, name: 'secret', id: 's2', lastUsedAt: '2026-01-02T03:04:00.000Z' },
    { ...currentKey, name: 'secret', id: 's1', replacedAt: '2026-01-01T00:00:00.000Z' },
  ],
  publishableKey: 'sb_publishable_test',
}
const secrets: InstanceSecrets = {
  configured: [
    {
      ...{ name: '[mail] smtp_pass', source: 'file', from: 'CLEW_MAIL_SMTP_PASS_FILE' },
      lastTakenAt: '2026-01-02T03:04:00.000Z',
    },
    { name: 'metrics_token', source: 'environment', from: 'CLEW_METRICS_TOKEN', lastTakenAt: null },
  ],
  made: [
    { name: 'ingest token', lastRotatedAt: '2026-01-02T03:04:00.000Z', pinned: null },
    { name: 'database password', lastRotatedAt: null, pinned: 'The setting database_url has it: change it there.' },
    { name: 'root key', lastRotatedAt: null, pinned: null },
  ],
  ingestToken: 'phc_test',
  earlierIngestTokens: [{ id: '0123456789abcdef', replacedAt: '2026-01-02T03:04:00.000Z' }],
}
/** One that is current, and two that were replaced. */
export const rootKeys: RootKeys['rootKeys'] = [
  { id: 'aaaaaaaaaaaaaaaa', isCurrent: true, replacedAt: null, contents: [] },
  {
    ...{ id: 'bbbbbbbbbbbbbbbb', isCurrent: false, replacedAt: '2026-01-01T00:00:00.000Z' },
    contents: [{ name: 'access tokens', count: 1200, moves: false }],
  },
  { id: 'cccccccccccccccc', isCurrent: false, replacedAt: '2025-01-01T00:00:00.000Z', contents: [] },
]
/** Answers to the screen of signing in, its keys and secrets. */
export const authAnswers: Answers = {
  ...signedIn,
  '/console/api/secrets': { get: secrets },
  '/console/api/secrets/root-keys': { get: { rootKeys, lost: [] } },
  '/console/api/auth/setup': { get: authSetup },
  '/console/api/auth/setup/redirect': {
    post: async (request) => {
      const { url } = await request.json()
      const isAllowed = url.startsWith('https://shop.test')
      return Response.json({ isAllowed, leadsTo: isAllowed ? url : 'https://shop.test' })
    },
  },
  '/console/api/auth/setup/mails/{kind}': { get: { subject: 'Reset your password', html: '<p>Hi</p>', text: 'Hi' } },
  '/console/api/auth/setup/mails/{kind}/test': { post: { to: 'olga@example.test' } },
}
