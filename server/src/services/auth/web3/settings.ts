import Type from 'typebox'
import { type Declared, setting, type Values } from '../../../ground/settings/setting.ts'

/** The settings of sign-in by wallet; names follow `[auth.web3]` of a project's `config.toml`. */
export const web3Settings = {
  web3EthereumEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether users may sign in with an Ethereum wallet.',
  }),
  web3SolanaEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether users may sign in with a Solana wallet.',
  }),
  web3MaximumValiditySeconds: setting(Type.Integer({ minimum: 30, maximum: 86_400 }), {
    default: 600,
    description: 'How old, or how far ahead, the message may be that a wallet has signed.',
  }),
  rateLimitWeb3: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 30,
    description: 'Sign-ins by wallet in five minutes from one address.',
  }),
} as const satisfies Declared

export type Web3Settings = Values<typeof web3Settings>
