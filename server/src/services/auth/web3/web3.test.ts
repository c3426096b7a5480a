import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { createClient } from '@supabase/supabase-js'
import { expect, test as pureTest } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { web3Cases } from '../../../../test/cases/auth/web3.ts'
import { test } from '../../../../test/harness.ts'
import { ethereumWallet, signInMessage, solanaWallet } from '../../../../test/wallets.ts'
import { localApiKeys } from '../../../ground/jwt/api-keys.ts'
import { parseMessage } from './message.ts'
import { isSignedByItsAddress, parseSignature } from './signature.ts'

test.for(web3Cases.map((row) => [row.row, row.rule, row] as const))('auth §%s %s', async ([, , row], { db }) => {
  await row.run(await startAuth(db, row.settings, row.deps), db)
})

/** A message of nothing but its text and address. */
const bare = (chain: 'ethereum' | 'solana', text: string, address: string) => {
  const wallet = chain === 'ethereum' ? ethereumWallet() : solanaWallet()
  return { ...parseMessage(chain, signInMessage(wallet, new Date())), text, address }
}

pureTest('an Ethereum signature that web3.js documents is its address’s', () => {
  const address = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23'
  const signature = parseSignature(
    'ethereum',
    '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
  )
  expect(isSignedByItsAddress('ethereum', bare('ethereum', 'Some data', address), signature)).toBe(true)
  expect(isSignedByItsAddress('ethereum', bare('ethereum', 'Some datum', address), signature)).toBe(false)
})

pureTest('an Ed25519 signature of RFC 8032 §7.1 (test 2) is its address’s', () => {
  const key = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex')
  const signature = Buffer.from(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    'hex',
  )
  expect(isSignedByItsAddress('solana', bare('solana', 'r', base58.encode(key)), signature)).toBe(true)
  expect(isSignedByItsAddress('solana', bare('solana', 's', base58.encode(key)), signature)).toBe(false)
})

pureTest('a key with which any signature fits is nobody’s', () => {
  const identity = Buffer.alloc(32)
  identity[0] = 1
  const signature = Buffer.concat([identity, Buffer.alloc(32)])
  expect(ed25519.verify(signature, Buffer.from('anything'), identity)).toBe(true)
  expect(isSignedByItsAddress('solana', bare('solana', 'anything', base58.encode(identity)), signature)).toBe(false)
})

pureTest('a recovery bit that cannot be is no signature', () => {
  const wallet = ethereumWallet()
  const text = signInMessage(wallet, new Date())
  const good = wallet.sign(text)
  const message = parseMessage('ethereum', text)
  const fits = (v: string): boolean =>
    isSignedByItsAddress('ethereum', message, parseSignature('ethereum', `${good.slice(0, -2)}${v}`))
  const v = Number.parseInt(good.slice(-2), 16)
  expect(fits(v.toString(16))).toBe(true)
  expect(fits((v - 27).toString(16).padStart(2, '0'))).toBe(true)
  for (const wrong of ['02', '04', '1a', '1d', 'ff']) expect(fits(wrong)).toBe(false)
})

pureTest('a hardware wallet signs the same text in an envelope', () => {
  const wallet = solanaWallet('44'.repeat(32), (body, publicKey) => {
    const domain = Buffer.alloc(32)
    domain.write('app.example')
    const length = Buffer.alloc(2)
    length.writeUInt16LE(body.length)
    const head = Buffer.from([0xff, ...Buffer.from('solana offchain'), 0])
    return Buffer.concat([head, domain, Uint8Array.of(0, 1), publicKey, length, body])
  })
  const text = signInMessage(wallet, new Date())
  const signature = parseSignature('solana', wallet.sign(text))
  expect(isSignedByItsAddress('solana', parseMessage('solana', text), signature)).toBe(true)
})

class NoSocket {
  constructor() {
    throw new Error('The client opened a socket.')
  }
}

test('the official client signs in with wallets of both chains', async ({ db, onTestFinished }) => {
  const { app } = await startAuth(db, {
    web3EthereumEnabled: true,
    web3SolanaEnabled: true,
    additionalRedirectUrls: ['https://app.example/**'],
  })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { auth } = createClient(url, localApiKeys().anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own and the client asks for one; nothing here opens it.
    realtime: { transport: NoSocket as never },
  })
  const options = { url: 'https://app.example/' }
  const statement = 'I accept the terms.'
  const ethereum = ethereumWallet()
  const provider = {
    async request({ method, params }: { readonly method: string; readonly params?: readonly string[] }) {
      if (method === 'eth_requestAccounts') return [ethereum.address]
      if (method === 'eth_chainId') return '0x1'
      return ethereum.sign(Buffer.from((params?.[0] ?? '').slice(2), 'hex').toString())
    },
  }
  const byEthereum = await auth.signInWithWeb3({
    chain: 'ethereum',
    statement,
    // The client asks three things of a wallet; its type asks for everything a browser's wallet can do.
    wallet: provider as never,
    options,
  })
  expect(byEthereum.error).toBeNull()
  expect(byEthereum.data.user?.identities?.[0]?.id).toBe(`web3:ethereum:${ethereum.address}`)

  const solana = solanaWallet()
  const bySolana = await auth.signInWithWeb3({
    chain: 'solana',
    statement,
    wallet: {
      publicKey: { toBase58: () => solana.address },
      signMessage: async (message: Uint8Array) =>
        Uint8Array.from(Buffer.from(solana.sign(Buffer.from(message).toString()), 'base64')),
    } as never,
    options,
  })
  expect(bySolana.error).toBeNull()
  expect(bySolana.data.user?.id).not.toBe(byEthereum.data.user?.id)
})
