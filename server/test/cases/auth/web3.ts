import { expect } from 'vitest'
import type { AuthSettings } from '../../../src/services/auth/index.ts'
import type { Answer, TestAuth } from '../../auth-service.ts'
import { ethereumWallet, type MessageParts, signInMessage, solanaWallet, type Wallet } from '../../wallets.ts'
import type { AuthCase } from './case.ts'
import { claimsOf, refusalOf } from './people.ts'

const settings: Partial<AuthSettings> = {
  web3EthereumEnabled: true,
  web3SolanaEnabled: true,
  additionalRedirectUrls: ['https://app.example/**', 'http://localhost:5173/**'],
}

const send = (auth: TestAuth, chain: string, message: string, signature: string): Promise<Answer> =>
  auth.call('POST', '/token?grant_type=web3', { body: { chain, message, signature } })

function signIn(auth: TestAuth, wallet: Wallet, parts: MessageParts = {}, at = new Date()): Promise<Answer> {
  const message = signInMessage(wallet, at, parts)
  return send(auth, wallet.chain, message, wallet.sign(message))
}

const minutes = (count: number): Date => new Date(Date.now() + count * 60_000)
const wallets = [ethereumWallet(), solanaWallet()]

const misshapen: readonly (readonly [string, MessageParts])[] = [
  ['a domain that is an IP address', { domain: '10.0.0.1' }],
  ['a domain with a user', { domain: 'a@app.example' }],
  ['an address that is none', { address: '0xnone' }],
  ['another version', { lines: { Version: '2' } }],
  ['no version', { lines: { Version: null } }],
  ['no URI', { lines: { URI: null } }],
  ['a relative URI', { lines: { URI: '/welcome' } }],
  ['no instant of issue', { lines: { 'Issued At': null } }],
  ['an instant that is none', { lines: { 'Issued At': 'yesterday' } }],
  ['a chain id that is none', { lines: { 'Chain ID': 'mainnet' } }],
  ['an end before its issue', { lines: { 'Expiration Time': '2020-01-01T00:00:00Z' } }],
  [
    'a beginning after its end',
    { lines: { 'Not Before': minutes(9).toISOString(), 'Expiration Time': minutes(8).toISOString() } },
  ],
  ['a line without a colon', { lines: { Nonce: 'a\nnonsense' } }],
  ['two URIs', { lines: { Nonce: 'a\nURI: https://evil.example/' } }],
  ['a resource that is no address', { lines: { Nonce: 'a\nResources:\n- nonsense' } }],
]

const unwelcome: readonly (readonly [string, MessageParts])[] = [
  ['a URI that is not https', { lines: { URI: 'http://app.example/welcome' } }],
  ['a URI that is not in the list', { domain: 'evil.example', lines: { URI: 'https://evil.example/' } }],
  ['another domain than the URI’s', { domain: 'evil.example' }],
  ['another domain than localhost', { domain: 'evil.example', lines: { URI: 'http://localhost:5173/' } }],
  ['a URI with a user', { lines: { URI: 'https://app.example@evil.example/' } }],
  ['a beginning ahead', { lines: { 'Not Before': minutes(60).toISOString() } }],
  [
    'an end behind',
    { lines: { 'Issued At': minutes(-5).toISOString(), 'Expiration Time': minutes(-1).toISOString() } },
  ],
  ['an age of more than ten minutes', { lines: { 'Issued At': minutes(-10.1).toISOString() } }],
  ['an issue more than ten minutes ahead', { lines: { 'Issued At': minutes(60).toISOString() } }],
]

/** The web3 grant (auth §7). */
export const web3Cases: readonly AuthCase[] = [
  ...wallets.flatMap((wallet): readonly AuthCase[] => [
    {
      row: '7',
      rule: `${wallet.chain}: a wallet signs in, and comes back as the same user`,
      settings,
      async run(auth) {
        const first = await signIn(auth, wallet)
        expect(first.status).toBe(200)
        const { user } = first.body
        expect(user).toMatchObject({ email: '', phone: '', app_metadata: { provider: 'web3', providers: ['web3'] } })
        expect(user.identities).toMatchObject([
          {
            provider: 'web3',
            id: `web3:${wallet.chain}:${wallet.address}`,
            identity_data: {
              sub: `web3:${wallet.chain}:${wallet.address}`,
              custom_claims: {
                address: wallet.address,
                chain: wallet.chain,
                domain: 'app.example',
                statement: 'Sign in to the app.',
              },
            },
          },
        ])
        expect(claimsOf(first.body.access_token).amr).toMatchObject([{ method: 'web3' }])
        const again = await signIn(auth, wallet, { statement: null, lines: { Nonce: 'another' } })
        expect(again.body.user.id).toBe(user.id)
      },
    },
    {
      row: '7',
      rule: `${wallet.chain}: a signed message is good once`,
      settings,
      async run(auth) {
        const message = signInMessage(wallet, new Date())
        const signature = wallet.sign(message)
        const answers = await Promise.all([1, 2, 3].map(() => send(auth, wallet.chain, message, signature)))
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
        expect((await send(auth, wallet.chain, message, signature)).body.error).toBe('invalid_grant')
      },
    },
    {
      row: '7',
      rule: `${wallet.chain}: another key's signature, or one over another text, is worth nothing`,
      settings,
      async run(auth) {
        const other = wallet.chain === 'ethereum' ? ethereumWallet('33'.repeat(32)) : solanaWallet('33'.repeat(32))
        const message = signInMessage(wallet, new Date())
        const bad = [other.sign(message), wallet.sign(`${message} `)]
        for (const signature of bad)
          expect((await send(auth, wallet.chain, message, signature)).body).toEqual({
            error: 'invalid_grant',
            error_description: 'Signature does not match address in message',
          })
      },
    },
    ...misshapen.map(
      ([what, parts]): AuthCase => ({
        row: '7',
        rule: `${wallet.chain}: a message with ${what} is no message`,
        settings,
        async run(auth) {
          expect(refusalOf(await signIn(auth, wallet, parts))).toEqual([400, 'validation_failed'])
        },
      }),
    ),
    ...unwelcome.map(
      ([what, parts]): AuthCase => ({
        row: '7',
        rule: `${wallet.chain}: a message with ${what} is rejected`,
        settings,
        async run(auth) {
          const { status, body } = await signIn(auth, wallet, parts)
          expect([status, body.error]).toEqual([400, 'invalid_grant'])
        },
      }),
    ),
    {
      row: '7',
      rule: `${wallet.chain}: an application on localhost may do without https`,
      settings,
      async run(auth) {
        const lines = { URI: 'http://localhost:5173/' }
        expect((await signIn(auth, wallet, { domain: 'localhost:5173', lines })).status).toBe(200)
      },
    },
    {
      row: '7',
      rule: `${wallet.chain}: a chain that is off is rejected, the other is not`,
      settings: { ...settings, [wallet.chain === 'ethereum' ? 'web3EthereumEnabled' : 'web3SolanaEnabled']: false },
      async run(auth) {
        expect(refusalOf(await signIn(auth, wallet))).toEqual([422, 'web3_provider_disabled'])
        const other = wallets.find(({ chain }) => chain !== wallet.chain) ?? wallet
        expect((await signIn(auth, other)).status).toBe(200)
      },
    },
    {
      row: '7',
      rule: `${wallet.chain}: size and signature have their bounds`,
      settings,
      async run(auth) {
        const message = signInMessage(wallet, new Date())
        const signature = wallet.sign(message)
        const bad: readonly (readonly [string, string])[] = [
          ['a'.repeat(63), signature],
          ['a'.repeat(20 * 1024 + 1), signature],
          [message, ''],
          [message, signature.slice(0, -4)],
          [message, `${signature}00`],
          [message, '%'.repeat(signature.length)],
          ['nonsense\n'.repeat(10), signature],
        ]
        for (const [text, sign] of bad)
          expect(refusalOf(await send(auth, wallet.chain, text, sign))).toEqual([400, 'validation_failed'])
      },
    },
    {
      row: '6',
      rule: `${wallet.chain}: where sign-ups are switched off, an unknown wallet may not sign up either`,
      settings: { ...settings, enableSignup: false },
      run: async (auth) => expect(refusalOf(await signIn(auth, wallet))).toEqual([422, 'signup_disabled']),
    },
  ]),
  {
    row: '7',
    rule: 'switched off, sign-in by wallet is rejected whatever is sent',
    run: async (auth) =>
      expect(refusalOf(await send(auth, 'dogecoin', '', ''))).toEqual([422, 'web3_provider_disabled']),
  },
  {
    row: '7',
    rule: 'another chain is not supported',
    settings,
    run: async (auth) =>
      expect(refusalOf(await send(auth, 'dogecoin', '', ''))).toEqual([400, 'web3_unsupported_chain']),
  },
  {
    row: '7',
    rule: 'an Ethereum address is the same in whatever case its letters stand',
    settings,
    async run(auth) {
      const wallet = ethereumWallet()
      const shouted = `0x${wallet.address.slice(2).toUpperCase()}`
      const first = await signIn(auth, wallet)
      const second = await signIn(auth, wallet, { address: shouted })
      expect(second.body.user.id).toBe(first.body.user.id)
    },
  },
  {
    row: '35.41',
    rule: 'a banned wallet is rejected',
    settings,
    async run(auth, db) {
      await signIn(auth, ethereumWallet())
      await db.admin.query({ text: "update auth.users set banned_until = now() + interval '1 day'", values: [] })
      const again = await signIn(auth, ethereumWallet(), { lines: { Nonce: 'another' } })
      expect(again.body.error_code).toBe('user_banned')
    },
  },
  {
    row: '24',
    rule: 'sign-ins by wallet from one address are counted apart from others',
    settings: { ...settings, rateLimitByAddress: true },
    async run(auth) {
      for (let at = 0; at < 30; at++) expect((await send(auth, 'ethereum', '', '')).status).toBe(400)
      expect(refusalOf(await send(auth, 'ethereum', '', ''))).toEqual([429, 'over_request_rate_limit'])
      expect((await auth.call('POST', '/token?grant_type=password', { body: {} })).status).toBe(400)
    },
  },
]
