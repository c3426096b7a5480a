import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'

/** A wallet that signs whatever it is asked to, without asking anybody. */
export interface Wallet {
  readonly chain: 'ethereum' | 'solana'
  readonly address: string
  readonly sign: (text: string) => string
}

/** An Ethereum wallet (`personal_sign`, EIP-191) of a private key in hex. */
export function ethereumWallet(privateKey: string = '11'.repeat(32)): Wallet {
  const secret = Buffer.from(privateKey, 'hex')
  const owner = keccak_256(secp256k1.getPublicKey(secret, false).subarray(1)).subarray(12)
  return {
    chain: 'ethereum',
    address: `0x${Buffer.from(owner).toString('hex')}`,
    sign(text) {
      const prefixed = Buffer.from(`\x19Ethereum Signed Message:\n${Buffer.byteLength(text)}${text}`)
      const signature = secp256k1.sign(keccak_256(prefixed), secret, { prehash: false, format: 'recovered' })
      const v = 27 + (signature[0] ?? 0)
      return `0x${Buffer.from(signature.subarray(1)).toString('hex')}${v.toString(16)}`
    },
  }
}

/** A Solana wallet of a secret key in hex; `envelope` wraps what is signed, as hardware wallets do. */
export function solanaWallet(
  secretKey: string = '22'.repeat(32),
  envelope: (body: Buffer, publicKey: Uint8Array) => Uint8Array = (body) => body,
): Wallet {
  const secret = Buffer.from(secretKey, 'hex')
  const publicKey = ed25519.getPublicKey(secret)
  return {
    chain: 'solana',
    address: base58.encode(publicKey),
    sign: (text) => Buffer.from(ed25519.sign(envelope(Buffer.from(text), publicKey), secret)).toString('base64'),
  }
}

/** The parts of a message; null leaves a line out. */
export interface MessageParts {
  readonly domain?: string
  readonly address?: string
  readonly statement?: string | null
  readonly lines?: Readonly<Record<string, string | null>>
}

/** A message as wallets show it (EIP-4361). */
export function signInMessage(wallet: Wallet, at: Date, parts: MessageParts = {}): string {
  const name = wallet.chain === 'ethereum' ? 'Ethereum' : 'Solana'
  const lines = {
    URI: 'https://app.example/welcome',
    Version: '1',
    'Chain ID': wallet.chain === 'ethereum' ? '1' : 'solana:mainnet',
    Nonce: 'a1b2c3d4e5',
    'Issued At': at.toISOString(),
    ...parts.lines,
  }
  const statement = parts.statement === undefined ? 'Sign in to the app.' : parts.statement
  return [
    `${parts.domain ?? 'app.example'} wants you to sign in with your ${name} account:`,
    parts.address ?? wallet.address,
    '',
    ...(statement === null ? [] : [statement, '']),
    ...Object.entries(lines).flatMap(([key, value]) => (value === null ? [] : [`${key}: ${value}`])),
  ].join('\n')
}
