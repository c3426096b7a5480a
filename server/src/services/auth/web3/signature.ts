import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import { authError } from '../model/errors.ts'
import type { Chain, SignInMessage } from './message.ts'

/**
 * Reads a signature in the form its wallets give.
 *
 * @throws validation_failed
 */
export function parseSignature(chain: Chain, text: string): Uint8Array {
  if (chain === 'ethereum') {
    if (!/^(0x)?[0-9a-f]{130}$/i.test(text))
      throw authError('validation_failed', {
        message: 'signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string',
      })
    return Buffer.from(text.replace(/^0x/i, ''), 'hex')
  }
  // Node reads both alphabets of base64, with and without padding.
  if (!/^[A-Za-z0-9+/_-]{86}(==)?$/.test(text))
    throw authError('validation_failed', {
      message: 'signature must be 64 bytes encoded as base64 with or without padding',
    })
  return Buffer.from(text, 'base64')
}

/** Whether the owner of the message's address has signed it. */
export function isSignedByItsAddress(chain: Chain, message: SignInMessage, signature: Uint8Array): boolean {
  try {
    return chain === 'ethereum' ? isEthereumSigner(message, signature) : isSolanaSigner(message, signature)
  } catch {
    // Not a point on the curve, or an impossible recovery bit: no valid signature.
    return false
  }
}

/** The signature gives the public key back, and that the address (EIP-191 version 0x45, Yellow Paper appendix F). */
function isEthereumSigner({ text, address }: SignInMessage, signature: Uint8Array): boolean {
  const body = Buffer.from(text)
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${body.length}`)
  const digest = keccak_256(Buffer.concat([prefix, body]))
  const v = signature[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  // noble puts the recovery bit first.
  const recoverable = Buffer.concat([Uint8Array.of(recovery), signature.subarray(0, 64)])
  const compressed = secp256k1.recoverPublicKey(recoverable, digest, { prehash: false })
  const publicKey = secp256k1.Point.fromBytes(compressed).toBytes(false)
  const owner = Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex')
  return `0x${owner}` === address.toLowerCase()
}

/** Ed25519 over the text as it is, or in the envelope in which hardware wallets sign (Solana off-chain messages). */
function isSolanaSigner({ text, address, domain }: SignInMessage, signature: Uint8Array): boolean {
  const publicKey = base58.decode(address)
  if (publicKey.length !== 32) return false
  const body = Buffer.from(text)
  // Strict: keys of small order, with which any signature fits, are rejected.
  const fits = (signed: Uint8Array): boolean => ed25519.verify(signature, signed, publicKey, { zip215: false })
  return fits(body) || fits(offchainEnvelope(body, publicKey, domain))
}

/** @see https://docs.anza.xyz/proposals/off-chain-message-signing */
function offchainEnvelope(body: Buffer, publicKey: Uint8Array, domain: string): Buffer {
  const version = 0
  const formatAscii = 0
  const signers = 1
  const applicationDomain = Buffer.alloc(32)
  applicationDomain.write(domain)
  const length = Buffer.alloc(2)
  length.writeUInt16LE(body.length)
  return Buffer.concat([
    Uint8Array.of(0xff),
    Buffer.from('solana offchain'),
    Uint8Array.of(version),
    applicationDomain,
    Uint8Array.of(formatAscii, signers),
    publicKey,
    length,
    body,
  ])
}
