import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { ann, asAdmin, from, post, refusalOf, signIn } from '../../../../test/cases/auth/people.ts'
import { test } from '../../../../test/harness.ts'
import { failureOf, startProviderWorld } from '../../../../test/provider-world.ts'

const phone = '4915112345678'
const theirs = 'known to whoever prepared it'
const own = 'a good password'
const confirming = { emailEnableConfirmations: true, smsEnableSignup: true, smsEnableConfirmations: true }
const code = (auth: TestAuth) => auth.codeFor(ann.email)
const sms = (auth: TestAuth) => auth.messages.at(-1)?.otp

/** Ways in which the owner of an address comes, after another user prepared an account for it. */
const arrivals: readonly (readonly [string, (auth: TestAuth) => Promise<object>])[] = [
  [
    'a sign-up of their own',
    async (auth) => {
      await post(auth, '/signup', { email: ann.email, password: own }, from(2))
      return { type: 'signup', email: ann.email, token: await code(auth) }
    },
  ],
  [
    'a sign-up of their own, after which the other signs up once more',
    async (auth) => {
      await post(auth, '/signup', { email: ann.email, password: own }, from(2))
      auth.pass(2)
      await post(auth, '/signup', { email: ann.email, password: theirs })
      return { type: 'signup', email: ann.email, token: await code(auth) }
    },
  ],
  [
    'a code',
    async (auth) => {
      await post(auth, '/otp', { email: ann.email })
      return { type: 'email', email: ann.email, token: await code(auth) }
    },
  ],
  [
    'a code, the clock a month on, and once more',
    async (auth) => {
      await post(auth, '/otp', { email: ann.email })
      auth.pass(30 * 86_400)
      await auth.auth.cleanUp()
      await post(auth, '/resend', { type: 'signup', email: ann.email })
      return { type: 'signup', email: ann.email, token: await code(auth) }
    },
  ],
  [
    'a magic link',
    async (auth) => {
      await post(auth, '/magiclink', { email: ann.email })
      return { type: 'email', email: ann.email, token: await code(auth) }
    },
  ],
  [
    'a recovery',
    async (auth) => {
      await post(auth, '/recover', { email: ann.email })
      return { type: 'recovery', email: ann.email, token: await code(auth) }
    },
  ],
  [
    'an invitation',
    async (auth) => {
      await asAdmin(auth, 'POST', '/invite', { email: ann.email })
      return { type: 'invite', email: ann.email, token: await code(auth) }
    },
  ],
  [
    'a link that an administrator sends',
    async (auth) => {
      const { body } = await asAdmin(auth, 'POST', '/admin/generate_link', { type: 'magiclink', email: ann.email })
      return { type: 'magiclink', email: ann.email, token: body.email_otp }
    },
  ],
]

test.for(arrivals)(
  'who prepared an account knows nothing of it once its owner came by %s',
  async ([, arrive], { db }) => {
    const auth = await startAuth(db, { ...confirming, emailAllowUnverifiedSignIns: true })
    await post(auth, '/signup', { email: ann.email, password: theirs })
    await db.admin.query({
      text: `insert into auth.identities (provider_id, user_id, identity_data, provider)
      select 'prepared', id, jsonb_build_object('sub', 'prepared', 'email', email, 'email_verified', false), 'github'
      from auth.users`,
      values: [],
    })
    auth.pass(2)
    const typed = await arrive(auth)
    const { status, body } = await post(auth, '/verify', typed)
    expect([status, body.user?.email]).toEqual([200, ann.email])
    expect(body.user.identities.map(({ provider }: { provider: string }) => provider)).toEqual(['email'])
    expect(body.user.app_metadata.providers).toEqual(['email'])
    expect(refusalOf(await signIn(auth, { email: ann.email, password: theirs }))).toEqual([400, 'invalid_credentials'])
  },
)

test('who signs up, asks for the mail again, and mistypes the password then, keeps the first', async ({ db }) => {
  const auth = await startAuth(db, confirming)
  await post(auth, '/signup', ann)
  auth.pass(2)
  await post(auth, '/signup', ann)
  auth.pass(2)
  await post(auth, '/signup', { ...ann, password: 'mistyped' })
  auth.pass(2)
  await post(auth, '/resend', { type: 'signup', email: ann.email })
  expect((await post(auth, '/verify', { type: 'signup', email: ann.email, token: await code(auth) })).status).toBe(200)
  expect((await signIn(auth)).status).toBe(200)
})

test('a number likewise', async ({ db }) => {
  const auth = await startAuth(db, confirming)
  const enter = () => signIn(auth, { phone, password: theirs })
  await post(auth, '/signup', { phone, password: theirs })
  auth.pass(6)
  await post(auth, '/otp', { phone })
  expect((await post(auth, '/verify', { type: 'sms', phone, token: sms(auth) })).status).toBe(200)
  expect(refusalOf(await enter())).toEqual([400, 'invalid_credentials'])
})

test('an address that its provider did not verify opens no account, also where none are confirmed', async ({ db }) => {
  const world = await startProviderWorld(db, { emailEnableConfirmations: false })
  const { user } = (await post(world.auth, '/signup', ann)).body
  const stranger = await world.userOf(
    await world.signIn({ sub: 'k-stranger', email: ann.email, email_verified: false, name: 'Not Ann' }),
  )
  expect(stranger).toMatchObject({ email: '', identities: [{ provider: 'keycloak' }] })
  expect(stranger.id).not.toBe(user.id)
  const owner = await world.userOf(await world.signIn({ sub: 'k-ann', email: ann.email, email_verified: true }))
  expect(owner.id).toBe(user.id)
})

test('an address that its provider did not verify is mailed to, and belongs to no user until then', async ({ db }) => {
  const world = await startProviderWorld(db)
  await post(world.auth, '/signup', ann)
  const location = await world.signIn({ sub: 'k-stranger', email: ann.email, email_verified: false })
  expect(failureOf(location)[1]).toBe('provider_email_needs_verification')
  const text = `select array_agg(distinct provider order by provider) as providers from auth.identities group by user_id`
  const { rows } = await db.admin.query<{ providers: string[] }>({ text, values: [] })
  expect(rows.map(({ providers }) => providers)).not.toContainEqual(['email', 'keycloak'])
})
