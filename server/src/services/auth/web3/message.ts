import { authError } from '../model/errors.ts'

export type Chain = 'ethereum' | 'solana'

/** The message that a user signs with a wallet (EIP-4361, and Solana's variant of it). */
export interface SignInMessage {
  /** Exactly what was signed. */
  readonly text: string
  /** The application that asks, as host or host and port. */
  readonly domain: string
  readonly address: string
  readonly statement: string | null
  readonly uri: URL
  /** As written: what the allow-list is asked about. */
  readonly uriText: string
  readonly chainId: string | null
  readonly issuedAt: Date
  readonly expiresAt: Date | null
  readonly notBefore: Date | null
}

interface ChainRules {
  readonly name: string
  readonly prefix: string
  readonly address: RegExp
  readonly addressFault: string
  readonly chainId: (text: string) => boolean
}

const rules: Readonly<Record<Chain, ChainRules>> = {
  ethereum: {
    name: 'Ethereum',
    prefix: 'siwe',
    address: /^0x[a-fA-F0-9]{40}$/,
    addressFault: 'wallet address is not a valid Ethereum address',
    chainId: (text) => /^[1-9]\d{0,17}$/.test(text),
  },
  solana: {
    name: 'Solana',
    prefix: 'siws',
    address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    addressFault: 'wallet address is not in base58 format',
    chainId: (text) => text === '' || /^solana:(main|dev|test|local)net$/.test(text),
  },
}

const fields = [
  'URI',
  'Version',
  'Chain ID',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
] as const
type Field = (typeof fields)[number]

const domainPattern = /^(localhost|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,})(?::\d{1,5})?$/i

/**
 * Reads a message. A field that stands there twice is rejected: what a wallet shows and what is read here must be one.
 *
 * @throws validation_failed
 * @see    https://eips.ethereum.org/EIPS/eip-4361#message-format
 */
export function parseMessage(chain: Chain, text: string): SignInMessage {
  const { name, prefix, address: addressPattern, addressFault, chainId: fitsChain } = rules[chain]
  const invalid = (fault: string): Error => authError('validation_failed', { message: `${prefix}: ${fault}` })
  const lines = text.split('\n')
  const [header = '', address = '', third, fourth, fifth] = lines
  if (lines.length < 6) throw invalid('message needs at least 6 lines')
  const suffix = ` wants you to sign in with your ${name} account:`
  if (!header.endsWith(suffix)) throw invalid(`message first line does not end in "${suffix}"`)
  const domain = header.slice(0, -suffix.length)
  if (!domainPattern.test(domain)) throw invalid('domain in first line of message is not valid')
  if (!addressPattern.test(address)) throw invalid(addressFault)
  if (third !== '') throw invalid('third line must be empty')

  const statement = fourth !== '' && fifth === '' ? (fourth ?? null) : null
  const values = readFields(lines.slice(statement === null ? 3 : 5), invalid)
  const instant = (field: Field): Date | null => {
    const value = values.get(field)
    const date = value === undefined ? null : parseInstant(value)
    if (date === undefined) throw invalid(`${field} is not a valid ISO8601 timestamp`)
    return date
  }
  const version = values.get('Version') ?? ''
  if (version !== '1') throw invalid(`Version value is not supported, expected 1 got "${version.slice(0, 20)}"`)
  const uriText = values.get('URI')
  if (uriText === undefined) throw invalid('URI is not specified')
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(uriText) || !URL.canParse(uriText)) throw invalid('URI is not valid')
  const chainId = values.get('Chain ID')
  if (chainId !== undefined && !fitsChain(chainId)) throw invalid('Chain ID is not valid')
  const issuedAt = instant('Issued At')
  if (issuedAt === null) throw invalid('Issued At is not specified')
  const expiresAt = instant('Expiration Time')
  const notBefore = instant('Not Before')
  if (expiresAt !== null && issuedAt > expiresAt) throw invalid('Issued At is after Expiration Time')
  if (expiresAt !== null && notBefore !== null && notBefore > expiresAt)
    throw invalid('Not Before is after Expiration Time')
  const uri = new URL(uriText)
  return { text, domain, address, statement, uri, uriText, chainId: chainId || null, issuedAt, expiresAt, notBefore }
}

function readFields(lines: readonly string[], invalid: (fault: string) => Error): ReadonlyMap<Field, string> {
  const values = new Map<Field, string>()
  let inResources = false
  for (const [index, line] of lines.entries()) {
    if (inResources && line.startsWith('- ')) {
      if (!URL.canParse(line.slice(2).trim())) throw invalid('a resource has an invalid URI')
      continue
    }
    inResources = line === 'Resources:'
    if (inResources || line.trim() === '') continue
    const colon = line.indexOf(':')
    if (colon === -1) throw invalid(`encountered unparsable line at index ${index}`)
    const field = fields.find((known) => known === line.slice(0, colon))
    if (field === undefined) continue
    if (values.has(field)) throw invalid(`${field} is specified twice`)
    values.set(field, line.slice(colon + 1).trim())
  }
  return values
}

/** RFC 3339; undefined when it is something else. */
function parseInstant(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}
